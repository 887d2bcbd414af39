-- CreateTable
CREATE TABLE "Goal" (
    "id" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "sessionId" TEXT NOT NULL,
    "currentOf" TEXT,
    "chatId" TEXT NOT NULL,
    "chatType" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "pausedBecause" TEXT,
    "reason" TEXT,
    "evidence" TEXT,
    "epoch" INTEGER NOT NULL DEFAULT 1,
    "turnsUsed" INTEGER NOT NULL DEFAULT 0,
    "budget" INTEGER NOT NULL,
    "budgetBy" TEXT,
    "turnsTotal" INTEGER NOT NULL DEFAULT 0,
    "failedInRow" INTEGER NOT NULL DEFAULT 0,
    "unreadableInRow" INTEGER NOT NULL DEFAULT 0,
    "sameInRow" INTEGER NOT NULL DEFAULT 0,
    "check" TEXT,
    "checkState" TEXT,
    "lastChatTurn" INTEGER NOT NULL DEFAULT 0,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "endedAt" TIMESTAMPTZ(3),
    "leaseUntil" TIMESTAMPTZ(3),
    "nextTryAt" TIMESTAMPTZ(3),
    "revision" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "Goal_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "GoalCriterion" (
    "goalId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "agentId" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "addedBy" TEXT NOT NULL,
    "addedAt" TIMESTAMPTZ(3) NOT NULL,
    "removedAt" TIMESTAMPTZ(3),
    "metAt" TIMESTAMPTZ(3),
    "evidence" TEXT,

    CONSTRAINT "GoalCriterion_pkey" PRIMARY KEY ("goalId","number")
);

-- CreateTable
CREATE TABLE "GoalTurn" (
    "id" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "goalId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "epoch" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "tail" TEXT NOT NULL DEFAULT '',
    "replyChars" INTEGER NOT NULL DEFAULT 0,
    "digest" TEXT,
    "tools" JSONB NOT NULL,
    "verdict" TEXT,
    "reason" TEXT,
    "evidence" TEXT,
    "judgedBy" TEXT,
    "why" TEXT,
    "inputTokens" INTEGER,
    "outputTokens" INTEGER,
    "hermesSessionId" TEXT,
    "stopAskedAt" TIMESTAMPTZ(3),
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "GoalTurn_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Goal_agentId_status_idx" ON "Goal"("agentId", "status");

-- CreateIndex
CREATE UNIQUE INDEX "Goal_agentId_number_key" ON "Goal"("agentId", "number");

-- CreateIndex
CREATE UNIQUE INDEX "Goal_agentId_currentOf_key" ON "Goal"("agentId", "currentOf");

-- CreateIndex
CREATE INDEX "GoalTurn_agentId_goalId_number_idx" ON "GoalTurn"("agentId", "goalId", "number");

-- CreateIndex
CREATE INDEX "GoalTurn_agentId_status_idx" ON "GoalTurn"("agentId", "status");
