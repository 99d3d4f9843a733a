package io.ringfence.engine.message;

/** What members say to each other of slots: of their copies, and of who decides for them. */
public sealed interface SlotMessage extends PeerMessage
    permits CopyMessage,
        CopiedMessage,
        FetchMessage,
        InventoryRequest,
        InventoryMessage,
        PassMessage,
        TakenMessage {}
