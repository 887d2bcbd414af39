-- AlterTable
ALTER TABLE "Checkpoint" ADD COLUMN "editorTries" JSONB;

-- CreateTable
CREATE TABLE "OwnTurn" (
    "turnId" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "way" TEXT NOT NULL,
    "sessionId" TEXT,
    "runId" TEXT,
    "startedAt" DATETIME NOT NULL,
    "openUntil" DATETIME,
    "endedAt" DATETIME,
    "outcome" TEXT,
    "why" TEXT
);

-- CreateTable
CREATE TABLE "TelemetryBatch" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "receivedAt" DATETIME NOT NULL,
    "events" INTEGER NOT NULL,
    "dropped" INTEGER NOT NULL DEFAULT 0
);

-- CreateTable
CREATE TABLE "ToolInvocation" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "agentId" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "turnId" TEXT,
    "toolCallId" TEXT,
    "toolName" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "platform" TEXT,
    "at" DATETIME NOT NULL,
    "durationMs" INTEGER,
    "success" BOOLEAN NOT NULL,
    "status" TEXT NOT NULL,
    "errorType" TEXT,
    "errorMessage" TEXT,
    "input" TEXT,
    "inputHash" TEXT,
    "inputLikeness" TEXT,
    "resultHash" TEXT,
    "resultChars" INTEGER
);

-- CreateTable
CREATE TABLE "TurnRecord" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "agentId" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "turnId" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "platform" TEXT,
    "model" TEXT,
    "startedAt" DATETIME,
    "endedAt" DATETIME,
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
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "OutcomeSignal" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "agentId" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "turnId" TEXT,
    "origin" TEXT NOT NULL,
    "signalType" TEXT NOT NULL,
    "value" REAL NOT NULL,
    "metadata" JSONB,
    "at" DATETIME NOT NULL
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
