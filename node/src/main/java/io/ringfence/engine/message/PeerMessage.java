package io.ringfence.engine.message;

/** What one member says to another. */
public sealed interface PeerMessage
    permits CheckMessage,
        AnswerMessage,
        NotOwnerMessage,
        RefusalMessage,
        CancelMessage,
        SlotMessage,
        LiftMessage,
        LiftedMessage,
        UsageMessage,
        UsageAnswerMessage,
        ViewMessage,
        ViewRequest,
        ViewWordMessage,
        StatusMessage,
        LeaveMessage,
        WeightMessage,
        DetourMessage {}
