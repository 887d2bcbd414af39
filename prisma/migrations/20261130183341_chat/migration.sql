-- CreateTable
CREATE TABLE "ChatSession" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "currentOf" TEXT,
    "chatId" TEXT NOT NULL,
    "chatType" TEXT NOT NULL,
    "openId" TEXT,
    "number" INTEGER NOT NULL,
    "title" TEXT,
    "hermesSessionId" TEXT,
    "heldBy" TEXT,
    "heldUntil" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "usedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Turn" (
    "seq" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "id" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "dedupeKey" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "chatId" TEXT NOT NULL,
    "chatType" TEXT NOT NULL,
    "threadId" TEXT,
    "messageId" TEXT,
    "senderOpenId" TEXT,
    "language" TEXT NOT NULL,
    "said" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "images" JSONB NOT NULL,
    "files" JSONB NOT NULL,
    "manner" TEXT NOT NULL DEFAULT 'queue',
    "status" TEXT NOT NULL,
    "leaseUntil" DATETIME,
    "hermesSessionId" TEXT,
    "reply" TEXT NOT NULL DEFAULT '',
    "failure" TEXT,
    "why" TEXT,
    "activity" JSONB,
    "toolCalls" INTEGER,
    "inputTokens" INTEGER,
    "outputTokens" INTEGER,
    "stopAskedAt" DATETIME,
    "stopAskedBy" TEXT,
    "steeredInto" TEXT,
    "retriedAs" TEXT,
    "createdAt" DATETIME NOT NULL,
    "startedAt" DATETIME,
    "endedAt" DATETIME
);

-- CreateTable
CREATE TABLE "AgentQuestion" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "turnId" TEXT NOT NULL,
    "chatId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "ref" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "description" TEXT,
    "choices" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "askedAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "choice" TEXT,
    "answeredBy" TEXT,
    "answeredAt" DATETIME,
    "tellingAt" DATETIME,
    "settledAt" DATETIME,
    "voidBecause" TEXT
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_CardPost" (
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
    "entityId" TEXT,
    "entitySequence" INTEGER NOT NULL DEFAULT 0,
    "streamingSince" DATETIME,
    "createdAt" DATETIME NOT NULL
);
INSERT INTO "new_CardPost" ("agentId", "attempts", "chatId", "createdAt", "gaveUpAt", "gaveUpBecause", "id", "idempotencyKey", "inDoubtSince", "language", "lastError", "leaseUntil", "messageId", "nextTryAt", "receiveId", "receiveIdType", "replacedById", "replyToMessageId", "sentAs", "sentAt", "shown", "stale", "subjectId", "subjectKind", "view", "wanted") SELECT "agentId", "attempts", "chatId", "createdAt", "gaveUpAt", "gaveUpBecause", "id", "idempotencyKey", "inDoubtSince", "language", "lastError", "leaseUntil", "messageId", "nextTryAt", "receiveId", "receiveIdType", "replacedById", "replyToMessageId", "sentAs", "sentAt", "shown", "stale", "subjectId", "subjectKind", "view", "wanted" FROM "CardPost";
DROP TABLE "CardPost";
ALTER TABLE "new_CardPost" RENAME TO "CardPost";
CREATE UNIQUE INDEX "CardPost_idempotencyKey_key" ON "CardPost"("idempotencyKey");
CREATE UNIQUE INDEX "CardPost_messageId_key" ON "CardPost"("messageId");
CREATE INDEX "CardPost_agentId_subjectKind_subjectId_idx" ON "CardPost"("agentId", "subjectKind", "subjectId");
CREATE INDEX "CardPost_agentId_subjectKind_createdAt_idx" ON "CardPost"("agentId", "subjectKind", "createdAt");
CREATE INDEX "CardPost_agentId_stale_createdAt_idx" ON "CardPost"("agentId", "stale", "createdAt");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- CreateIndex
CREATE INDEX "ChatSession_agentId_hermesSessionId_idx" ON "ChatSession"("agentId", "hermesSessionId");

-- CreateIndex
CREATE UNIQUE INDEX "ChatSession_agentId_currentOf_key" ON "ChatSession"("agentId", "currentOf");

-- CreateIndex
CREATE UNIQUE INDEX "ChatSession_agentId_place_number_key" ON "ChatSession"("agentId", "place", "number");

-- CreateIndex
CREATE UNIQUE INDEX "Turn_id_key" ON "Turn"("id");

-- CreateIndex
CREATE UNIQUE INDEX "Turn_dedupeKey_key" ON "Turn"("dedupeKey");

-- CreateIndex
CREATE INDEX "Turn_agentId_status_seq_idx" ON "Turn"("agentId", "status", "seq");

-- CreateIndex
CREATE INDEX "Turn_sessionId_status_seq_idx" ON "Turn"("sessionId", "status", "seq");

-- CreateIndex
CREATE INDEX "Turn_agentId_chatId_seq_idx" ON "Turn"("agentId", "chatId", "seq");

-- CreateIndex
CREATE INDEX "AgentQuestion_agentId_status_expiresAt_idx" ON "AgentQuestion"("agentId", "status", "expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "AgentQuestion_agentId_turnId_ref_key" ON "AgentQuestion"("agentId", "turnId", "ref");
