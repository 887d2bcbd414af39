-- CreateTable
CREATE TABLE "DreamRun" (
    "agentId" TEXT NOT NULL,
    "date" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "leaseUntil" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "modelCalls" INTEGER NOT NULL DEFAULT 0,
    "tokens" INTEGER NOT NULL DEFAULT 0,
    "costSince" TIMESTAMPTZ(3) NOT NULL,
    "reflection" JSONB,
    "error" TEXT,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "DreamRun_pkey" PRIMARY KEY ("agentId","date")
);

-- CreateTable
CREATE TABLE "SessionScore" (
    "agentId" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "date" TEXT NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "composite" DOUBLE PRECISION NOT NULL,
    "completionRate" DOUBLE PRECISION NOT NULL,
    "efficiencyScore" DOUBLE PRECISION NOT NULL,
    "costEfficiency" DOUBLE PRECISION NOT NULL,
    "satisfactionProxy" DOUBLE PRECISION NOT NULL,
    "taskCategory" TEXT NOT NULL,
    "model" TEXT,
    "platform" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "iterations" INTEGER NOT NULL,
    "toolCalls" INTEGER NOT NULL,
    "turns" INTEGER NOT NULL,

    CONSTRAINT "SessionScore_pkey" PRIMARY KEY ("agentId","sessionId")
);

-- CreateTable
CREATE TABLE "ReflectionReport" (
    "id" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "date" TEXT NOT NULL,
    "zone" TEXT NOT NULL,
    "sessionsAnalyzed" INTEGER NOT NULL,
    "avgScore" DOUBLE PRECISION,
    "figures" JSONB NOT NULL,
    "errorSummary" TEXT,
    "wasteSummary" TEXT,
    "worstPatterns" JSONB NOT NULL,
    "recommendations" JSONB NOT NULL,
    "writtenBy" TEXT,
    "reflectionError" TEXT,
    "heldBack" JSONB NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "madeAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ReflectionReport_pkey" PRIMARY KEY ("id")
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

    CONSTRAINT "CauseDay_pkey" PRIMARY KEY ("agentId","fingerprint","date")
);

-- CreateTable
CREATE TABLE "EvolutionProposal" (
    "id" TEXT NOT NULL,
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
    "laterUntil" TIMESTAMPTZ(3),
    "decidedBy" TEXT,
    "decidedAt" TIMESTAMPTZ(3),
    "reason" TEXT,
    "refusedBefore" JSONB,
    "leaseUntil" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "executedAt" TIMESTAMPTZ(3),
    "because" TEXT,
    "revertedAt" TIMESTAMPTZ(3),
    "revertedBy" TEXT,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "EvolutionProposal_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ChangeSnapshot" (
    "proposalId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "before" JSONB NOT NULL,
    "beforeHash" TEXT NOT NULL,
    "afterHash" TEXT NOT NULL,
    "takenAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ChangeSnapshot_pkey" PRIMARY KEY ("proposalId")
);

-- CreateTable
CREATE TABLE "ImprovementUnit" (
    "id" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "proposalId" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "categories" JSONB NOT NULL,
    "baselineScore" DOUBLE PRECISION,
    "baselineSamples" INTEGER NOT NULL,
    "currentScore" DOUBLE PRECISION,
    "samples" INTEGER NOT NULL DEFAULT 0,
    "status" TEXT NOT NULL,
    "evaluations" JSONB NOT NULL,
    "openedAt" TIMESTAMPTZ(3) NOT NULL,
    "judgedAt" TIMESTAMPTZ(3),
    "because" TEXT,

    CONSTRAINT "ImprovementUnit_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "StrategyVersion" (
    "agentId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "strategies" JSONB NOT NULL,
    "avgScore" DOUBLE PRECISION,
    "activeFrom" TIMESTAMPTZ(3) NOT NULL,
    "activeUntil" TIMESTAMPTZ(3),
    "because" TEXT NOT NULL,

    CONSTRAINT "StrategyVersion_pkey" PRIMARY KEY ("agentId","version")
);

-- CreateTable
CREATE TABLE "KindHold" (
    "agentId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "because" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "askedAt" TIMESTAMPTZ(3),

    CONSTRAINT "KindHold_pkey" PRIMARY KEY ("agentId","type")
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
