-- AlterTable
ALTER TABLE "CardPost" ADD COLUMN     "entityId" TEXT,
ADD COLUMN     "entitySequence" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "streamingSince" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "ChatSession" (
    "id" TEXT NOT NULL,
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
    "heldUntil" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ChatSession_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Turn" (
    "seq" SERIAL NOT NULL,
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
    "leaseUntil" TIMESTAMPTZ(3),
    "hermesSessionId" TEXT,
    "reply" TEXT NOT NULL DEFAULT '',
    "failure" TEXT,
    "why" TEXT,
    "activity" JSONB,
    "toolCalls" INTEGER,
    "inputTokens" INTEGER,
    "outputTokens" INTEGER,
    "stopAskedAt" TIMESTAMPTZ(3),
    "stopAskedBy" TEXT,
    "steeredInto" TEXT,
    "retriedAs" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "startedAt" TIMESTAMPTZ(3),
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Turn_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "AgentQuestion" (
    "id" TEXT NOT NULL,
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
    "askedAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "choice" TEXT,
    "answeredBy" TEXT,
    "answeredAt" TIMESTAMPTZ(3),
    "tellingAt" TIMESTAMPTZ(3),
    "settledAt" TIMESTAMPTZ(3),
    "voidBecause" TEXT,

    CONSTRAINT "AgentQuestion_pkey" PRIMARY KEY ("id")
);

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
