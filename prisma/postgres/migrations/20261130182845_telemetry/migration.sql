-- AlterTable
ALTER TABLE "Checkpoint" ADD COLUMN     "editorTries" JSONB;

-- CreateTable
CREATE TABLE "OwnTurn" (
    "turnId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "way" TEXT NOT NULL,
    "sessionId" TEXT,
    "runId" TEXT,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "openUntil" TIMESTAMPTZ(3),
    "endedAt" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "why" TEXT,

    CONSTRAINT "OwnTurn_pkey" PRIMARY KEY ("turnId")
);

-- CreateTable
CREATE TABLE "TelemetryBatch" (
    "id" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "receivedAt" TIMESTAMPTZ(3) NOT NULL,
    "events" INTEGER NOT NULL,
    "dropped" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "TelemetryBatch_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ToolInvocation" (
    "id" SERIAL NOT NULL,
    "agentId" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "turnId" TEXT,
    "toolCallId" TEXT,
    "toolName" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "platform" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "durationMs" INTEGER,
    "success" BOOLEAN NOT NULL,
    "status" TEXT NOT NULL,
    "errorType" TEXT,
    "errorMessage" TEXT,
    "input" TEXT,
    "inputHash" TEXT,
    "inputLikeness" TEXT,
    "resultHash" TEXT,
    "resultChars" INTEGER,

    CONSTRAINT "ToolInvocation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TurnRecord" (
    "id" SERIAL NOT NULL,
    "agentId" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "turnId" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "platform" TEXT,
    "model" TEXT,
    "startedAt" TIMESTAMPTZ(3),
    "endedAt" TIMESTAMPTZ(3),
    "completed" BOOLEAN,
    "interrupted" BOOLEAN,
    "failed" BOOLEAN,
    "exitReason" TEXT,
    "apiCalls" INTEGER NOT NULL DEFAULT 0,
    "apiErrors" INTEGER NOT NULL DEFAULT 0,
    "toolCalls" INTEGER NOT NULL DEFAULT 0,
    "toolErrors" INTEGER NOT NULL DEFAULT 0,
    "subagents" INTEGER NOT NULL DEFAULT 0,
    "inputTokens" INTEGER,
    "outputTokens" INTEGER,
    "userChars" INTEGER,
    "replyChars" INTEGER,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "TurnRecord_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OutcomeSignal" (
    "id" SERIAL NOT NULL,
    "agentId" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "turnId" TEXT,
    "origin" TEXT NOT NULL,
    "signalType" TEXT NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,
    "metadata" JSONB,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "OutcomeSignal_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "OwnTurn_agentId_purpose_endedAt_idx" ON "OwnTurn"("agentId", "purpose", "endedAt");

-- CreateIndex
CREATE INDEX "OwnTurn_agentId_sessionId_idx" ON "OwnTurn"("agentId", "sessionId");

-- CreateIndex
CREATE INDEX "OwnTurn_runId_idx" ON "OwnTurn"("runId");

-- CreateIndex
CREATE INDEX "TelemetryBatch_agentId_receivedAt_idx" ON "TelemetryBatch"("agentId", "receivedAt");

-- CreateIndex
CREATE INDEX "ToolInvocation_agentId_at_idx" ON "ToolInvocation"("agentId", "at");

-- CreateIndex
CREATE INDEX "ToolInvocation_agentId_sessionId_at_idx" ON "ToolInvocation"("agentId", "sessionId", "at");

-- CreateIndex
CREATE INDEX "TurnRecord_agentId_endedAt_idx" ON "TurnRecord"("agentId", "endedAt");

-- CreateIndex
CREATE INDEX "TurnRecord_agentId_startedAt_idx" ON "TurnRecord"("agentId", "startedAt");

-- CreateIndex
CREATE INDEX "TurnRecord_agentId_sessionId_startedAt_idx" ON "TurnRecord"("agentId", "sessionId", "startedAt");

-- CreateIndex
CREATE UNIQUE INDEX "TurnRecord_agentId_turnId_key" ON "TurnRecord"("agentId", "turnId");

-- CreateIndex
CREATE INDEX "OutcomeSignal_agentId_at_idx" ON "OutcomeSignal"("agentId", "at");

-- CreateIndex
CREATE INDEX "OutcomeSignal_agentId_sessionId_at_idx" ON "OutcomeSignal"("agentId", "sessionId", "at");
