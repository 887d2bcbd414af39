-- CreateTable
CREATE TABLE "DreamRun" (
    "agentId" TEXT NOT NULL,
    "date" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "leaseUntil" DATETIME,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "modelCalls" INTEGER NOT NULL DEFAULT 0,
    "tokens" INTEGER NOT NULL DEFAULT 0,
    "costSince" DATETIME NOT NULL,
    "reflection" JSONB,
    "error" TEXT,
    "startedAt" DATETIME NOT NULL,
    "finishedAt" DATETIME,

    PRIMARY KEY ("agentId", "date")
);

-- CreateTable
CREATE TABLE "SessionScore" (
    "agentId" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "date" TEXT NOT NULL,
    "startedAt" DATETIME NOT NULL,
    "composite" REAL NOT NULL,
    "completionRate" REAL NOT NULL,
    "efficiencyScore" REAL NOT NULL,
    "costEfficiency" REAL NOT NULL,
    "satisfactionProxy" REAL NOT NULL,
    "taskCategory" TEXT NOT NULL,
    "model" TEXT,
    "platform" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "iterations" INTEGER NOT NULL,
    "toolCalls" INTEGER NOT NULL,
    "turns" INTEGER NOT NULL,

    PRIMARY KEY ("agentId", "sessionId")
);

-- CreateTable
CREATE TABLE "ReflectionReport" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "date" TEXT NOT NULL,
    "zone" TEXT NOT NULL,
    "sessionsAnalyzed" INTEGER NOT NULL,
    "avgScore" REAL,
    "figures" JSONB NOT NULL,
    "errorSummary" TEXT,
    "wasteSummary" TEXT,
    "worstPatterns" JSONB NOT NULL,
    "recommendations" JSONB NOT NULL,
    "writtenBy" TEXT,
    "reflectionError" TEXT,
    "heldBack" JSONB NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "madeAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "CauseDay" (
    "agentId" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "date" TEXT NOT NULL,
    "sessions" JSONB NOT NULL,
    "count" INTEGER NOT NULL,
    "successes" INTEGER NOT NULL DEFAULT 0,
    "lasting" TEXT NOT NULL,

    PRIMARY KEY ("agentId", "fingerprint", "date")
);

-- CreateTable
CREATE TABLE "EvolutionProposal" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "date" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "expectedEffect" TEXT NOT NULL,
    "risk" TEXT NOT NULL,
    "evidence" JSONB NOT NULL,
    "measure" JSONB NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "draftedBy" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "laterUntil" DATETIME,
    "decidedBy" TEXT,
    "decidedAt" DATETIME,
    "reason" TEXT,
    "refusedBefore" JSONB,
    "leaseUntil" DATETIME,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "executedAt" DATETIME,
    "because" TEXT,
    "revertedAt" DATETIME,
    "revertedBy" TEXT,
    "expiresAt" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "ChangeSnapshot" (
    "proposalId" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "before" JSONB NOT NULL,
    "beforeHash" TEXT NOT NULL,
    "afterHash" TEXT NOT NULL,
    "takenAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "ImprovementUnit" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "proposalId" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "categories" JSONB NOT NULL,
    "baselineScore" REAL,
    "baselineSamples" INTEGER NOT NULL,
    "currentScore" REAL,
    "samples" INTEGER NOT NULL DEFAULT 0,
    "status" TEXT NOT NULL,
    "evaluations" JSONB NOT NULL,
    "openedAt" DATETIME NOT NULL,
    "judgedAt" DATETIME,
    "because" TEXT
);

-- CreateTable
CREATE TABLE "StrategyVersion" (
    "agentId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "strategies" JSONB NOT NULL,
    "avgScore" REAL,
    "activeFrom" DATETIME NOT NULL,
    "activeUntil" DATETIME,
    "because" TEXT NOT NULL,

    PRIMARY KEY ("agentId", "version")
);

-- CreateTable
CREATE TABLE "KindHold" (
    "agentId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "because" TEXT NOT NULL,
    "since" DATETIME NOT NULL,
    "askedAt" DATETIME,

    PRIMARY KEY ("agentId", "type")
);

-- CreateIndex
CREATE INDEX "SessionScore_agentId_date_idx" ON "SessionScore"("agentId", "date");

-- CreateIndex
CREATE INDEX "SessionScore_agentId_taskCategory_startedAt_idx" ON "SessionScore"("agentId", "taskCategory", "startedAt");

-- CreateIndex
CREATE UNIQUE INDEX "ReflectionReport_agentId_date_key" ON "ReflectionReport"("agentId", "date");

-- CreateIndex
CREATE INDEX "CauseDay_agentId_date_idx" ON "CauseDay"("agentId", "date");

-- CreateIndex
CREATE INDEX "EvolutionProposal_agentId_status_createdAt_idx" ON "EvolutionProposal"("agentId", "status", "createdAt");

-- CreateIndex
CREATE INDEX "EvolutionProposal_agentId_fingerprint_idx" ON "EvolutionProposal"("agentId", "fingerprint");

-- CreateIndex
CREATE INDEX "EvolutionProposal_agentId_date_idx" ON "EvolutionProposal"("agentId", "date");

-- CreateIndex
CREATE UNIQUE INDEX "EvolutionProposal_agentId_number_key" ON "EvolutionProposal"("agentId", "number");

-- CreateIndex
CREATE UNIQUE INDEX "ImprovementUnit_proposalId_key" ON "ImprovementUnit"("proposalId");

-- CreateIndex
CREATE INDEX "ImprovementUnit_agentId_status_idx" ON "ImprovementUnit"("agentId", "status");

-- CreateIndex
CREATE INDEX "StrategyVersion_agentId_activeUntil_idx" ON "StrategyVersion"("agentId", "activeUntil");
