-- CreateTable
CREATE TABLE "WatchedGoal" (
    "agentId" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "turnsUsed" INTEGER NOT NULL,
    "maxTurns" INTEGER NOT NULL,
    "reason" TEXT,
    "subgoals" JSONB NOT NULL,
    "continuedAs" TEXT,
    "changes" JSONB NOT NULL,
    "opinion" TEXT,
    "firstSeenAt" TIMESTAMPTZ(3) NOT NULL,
    "changedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "WatchedGoal_pkey" PRIMARY KEY ("agentId","sessionId")
);

-- CreateIndex
CREATE INDEX "WatchedGoal_agentId_changedAt_idx" ON "WatchedGoal"("agentId", "changedAt");
