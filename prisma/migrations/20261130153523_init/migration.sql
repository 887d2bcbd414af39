-- CreateTable
CREATE TABLE "Person" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "openId" TEXT NOT NULL,
    "unionId" TEXT,
    "name" TEXT,
    "role" TEXT NOT NULL,
    "language" TEXT,
    "zone" TEXT,
    "directChatId" TEXT,
    "createdAt" DATETIME NOT NULL,
    "revokedAt" DATETIME
);

-- CreateTable
CREATE TABLE "PairingCode" (
    "agentId" TEXT NOT NULL PRIMARY KEY,
    "codeHash" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Stranger" (
    "agentId" TEXT NOT NULL,
    "openId" TEXT NOT NULL,
    "refusedAt" DATETIME NOT NULL,

    PRIMARY KEY ("agentId", "openId")
);

-- CreateTable
CREATE TABLE "Setting" (
    "agentId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "updatedBy" TEXT NOT NULL,

    PRIMARY KEY ("agentId", "name")
);

-- CreateTable
CREATE TABLE "InboxEvent" (
    "seq" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "agentId" TEXT NOT NULL,
    "dedupeKey" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "chatId" TEXT,
    "senderOpenId" TEXT,
    "payload" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "repeats" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "leaseUntil" DATETIME,
    "answer" JSONB,
    "error" TEXT,
    "receivedAt" DATETIME NOT NULL,
    "handledAt" DATETIME
);

-- CreateTable
CREATE TABLE "AuditEntry" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "agentId" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "actorKind" TEXT NOT NULL,
    "actorId" TEXT,
    "what" TEXT NOT NULL,
    "subjectKind" TEXT,
    "subjectId" TEXT,
    "before" JSONB,
    "after" JSONB
);

-- CreateTable
CREATE TABLE "CardPost" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "subjectKind" TEXT NOT NULL,
    "subjectId" TEXT NOT NULL,
    "view" JSONB,
    "receiveIdType" TEXT NOT NULL,
    "receiveId" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "replyToMessageId" TEXT,
    "idempotencyKey" TEXT NOT NULL,
    "wanted" INTEGER NOT NULL DEFAULT 1,
    "shown" INTEGER NOT NULL DEFAULT 0,
    "stale" BOOLEAN NOT NULL DEFAULT true,
    "messageId" TEXT,
    "chatId" TEXT,
    "sentAt" DATETIME,
    "sentAs" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "inDoubtSince" DATETIME,
    "nextTryAt" DATETIME,
    "leaseUntil" DATETIME,
    "lastError" TEXT,
    "gaveUpAt" DATETIME,
    "gaveUpBecause" TEXT,
    "replacedById" TEXT,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "JobRun" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "job" TEXT NOT NULL,
    "slotAt" DATETIME NOT NULL,
    "startedAt" DATETIME NOT NULL,
    "finishedAt" DATETIME,
    "leaseUntil" DATETIME,
    "outcome" TEXT,
    "reason" TEXT,
    "error" TEXT
);

-- CreateTable
CREATE TABLE "Checkpoint" (
    "runId" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "windowStart" DATETIME NOT NULL,
    "windowEnd" DATETIME NOT NULL,
    "cursorStart" JSONB NOT NULL,
    "cursorEnd" JSONB NOT NULL,
    "lastMessageId" TEXT,
    "status" TEXT NOT NULL,
    "outcome" TEXT,
    "reason" TEXT NOT NULL,
    "extractor" TEXT,
    "editor" TEXT,
    "counts" JSONB NOT NULL,
    "error" TEXT,
    "startedAt" DATETIME NOT NULL,
    "settledAt" DATETIME
);

-- CreateTable
CREATE TABLE "SeenMessage" (
    "agentId" TEXT NOT NULL,
    "lineage" TEXT NOT NULL,
    "identity" TEXT NOT NULL,
    "occurrence" INTEGER NOT NULL,
    "runId" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "messageId" TEXT NOT NULL,

    PRIMARY KEY ("agentId", "lineage", "identity", "occurrence")
);

-- CreateTable
CREATE TABLE "TrackingItem" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "summary" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "momentum" TEXT NOT NULL,
    "dueAt" DATETIME,
    "dueGrain" TEXT,
    "snoozedUntil" DATETIME,
    "exact" BOOLEAN NOT NULL DEFAULT false,
    "evidence" JSONB NOT NULL,
    "claimedDoneAt" DATETIME,
    "claimedDoneEvidence" JSONB,
    "audience" TEXT NOT NULL,
    "reminderCount" INTEGER NOT NULL DEFAULT 0,
    "ignoredCount" INTEGER NOT NULL DEFAULT 0,
    "lastRemindedAt" DATETIME,
    "closedAt" DATETIME,
    "closedBy" TEXT,
    "closedWhy" TEXT,
    "closedEvidence" JSONB,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1
);

-- CreateTable
CREATE TABLE "Counter" (
    "agentId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "value" INTEGER NOT NULL,

    PRIMARY KEY ("agentId", "name")
);

-- CreateTable
CREATE TABLE "ItemDecision" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "itemId" TEXT NOT NULL,
    "verb" TEXT NOT NULL,
    "byOpenId" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "undoUntil" DATETIME NOT NULL,
    "undoneAt" DATETIME,
    "undoneBy" TEXT,
    "before" JSONB NOT NULL,
    "until" DATETIME,
    "revision" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "KindPriority" (
    "agentId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "weight" REAL NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "updatedBy" TEXT NOT NULL,

    PRIMARY KEY ("agentId", "kind")
);

-- CreateTable
CREATE TABLE "Candidate" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "agentId" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "matterKind" TEXT NOT NULL,
    "goalId" TEXT,
    "title" TEXT NOT NULL,
    "whyNow" TEXT NOT NULL,
    "draft" TEXT NOT NULL,
    "evidence" JSONB NOT NULL,
    "decision" TEXT,
    "reason" TEXT,
    "note" TEXT
);

-- CreateTable
CREATE TABLE "Delivery" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "recipientOpenId" TEXT NOT NULL,
    "idempotencyKey" TEXT NOT NULL,
    "cardPostId" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "messageId" TEXT,
    "chatId" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "withdrawnAt" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "settledAt" DATETIME
);

-- CreateTable
CREATE TABLE "DeliveryMatter" (
    "deliveryId" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "agentId" TEXT NOT NULL,
    "itemId" TEXT NOT NULL,
    "candidateIndex" INTEGER NOT NULL,
    "whyNow" TEXT NOT NULL,
    "folded" BOOLEAN NOT NULL DEFAULT false,

    PRIMARY KEY ("deliveryId", "position")
);

-- CreateTable
CREATE TABLE "RunDocument" (
    "agentId" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("runId", "name")
);

-- CreateTable
CREATE TABLE "ModelCall" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "agentId" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "purpose" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "inputTokens" INTEGER,
    "outputTokens" INTEGER,
    "durationMs" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "runId" TEXT
);

-- CreateTable
CREATE TABLE "Heartbeat" (
    "agentId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "lastSuccessAt" DATETIME,
    "lastFailureAt" DATETIME,
    "failure" TEXT,
    "noticedAt" DATETIME,

    PRIMARY KEY ("agentId", "name")
);

-- CreateIndex
CREATE UNIQUE INDEX "Person_agentId_openId_key" ON "Person"("agentId", "openId");

-- CreateIndex
CREATE UNIQUE INDEX "InboxEvent_dedupeKey_key" ON "InboxEvent"("dedupeKey");

-- CreateIndex
CREATE INDEX "InboxEvent_agentId_kind_status_seq_idx" ON "InboxEvent"("agentId", "kind", "status", "seq");

-- CreateIndex
CREATE INDEX "InboxEvent_chatId_status_seq_idx" ON "InboxEvent"("chatId", "status", "seq");

-- CreateIndex
CREATE INDEX "InboxEvent_receivedAt_idx" ON "InboxEvent"("receivedAt");

-- CreateIndex
CREATE INDEX "AuditEntry_agentId_at_idx" ON "AuditEntry"("agentId", "at");

-- CreateIndex
CREATE INDEX "AuditEntry_agentId_subjectKind_subjectId_idx" ON "AuditEntry"("agentId", "subjectKind", "subjectId");

-- CreateIndex
CREATE UNIQUE INDEX "CardPost_idempotencyKey_key" ON "CardPost"("idempotencyKey");

-- CreateIndex
CREATE UNIQUE INDEX "CardPost_messageId_key" ON "CardPost"("messageId");

-- CreateIndex
CREATE INDEX "CardPost_agentId_subjectKind_subjectId_idx" ON "CardPost"("agentId", "subjectKind", "subjectId");

-- CreateIndex
CREATE INDEX "CardPost_agentId_subjectKind_createdAt_idx" ON "CardPost"("agentId", "subjectKind", "createdAt");

-- CreateIndex
CREATE INDEX "CardPost_agentId_stale_createdAt_idx" ON "CardPost"("agentId", "stale", "createdAt");

-- CreateIndex
CREATE INDEX "JobRun_agentId_job_slotAt_idx" ON "JobRun"("agentId", "job", "slotAt");

-- CreateIndex
CREATE INDEX "Checkpoint_agentId_status_startedAt_idx" ON "Checkpoint"("agentId", "status", "startedAt");

-- CreateIndex
CREATE INDEX "SeenMessage_runId_idx" ON "SeenMessage"("runId");

-- CreateIndex
CREATE INDEX "SeenMessage_agentId_at_idx" ON "SeenMessage"("agentId", "at");

-- CreateIndex
CREATE INDEX "TrackingItem_agentId_status_snoozedUntil_idx" ON "TrackingItem"("agentId", "status", "snoozedUntil");

-- CreateIndex
CREATE UNIQUE INDEX "TrackingItem_agentId_number_key" ON "TrackingItem"("agentId", "number");

-- CreateIndex
CREATE INDEX "ItemDecision_agentId_itemId_at_idx" ON "ItemDecision"("agentId", "itemId", "at");

-- CreateIndex
CREATE INDEX "Candidate_agentId_goalId_idx" ON "Candidate"("agentId", "goalId");

-- CreateIndex
CREATE UNIQUE INDEX "Candidate_runId_index_key" ON "Candidate"("runId", "index");

-- CreateIndex
CREATE UNIQUE INDEX "Delivery_idempotencyKey_key" ON "Delivery"("idempotencyKey");

-- CreateIndex
CREATE UNIQUE INDEX "Delivery_cardPostId_key" ON "Delivery"("cardPostId");

-- CreateIndex
CREATE INDEX "Delivery_agentId_status_createdAt_idx" ON "Delivery"("agentId", "status", "createdAt");

-- CreateIndex
CREATE INDEX "Delivery_runId_idx" ON "Delivery"("runId");

-- CreateIndex
CREATE INDEX "DeliveryMatter_agentId_itemId_idx" ON "DeliveryMatter"("agentId", "itemId");

-- CreateIndex
CREATE INDEX "RunDocument_agentId_createdAt_idx" ON "RunDocument"("agentId", "createdAt");

-- CreateIndex
CREATE INDEX "ModelCall_agentId_at_idx" ON "ModelCall"("agentId", "at");
