-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_GoalTurn" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "goalId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "epoch" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "sent" TEXT NOT NULL DEFAULT '',
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
    "stopAskedAt" DATETIME,
    "startedAt" DATETIME NOT NULL,
    "endedAt" DATETIME
);
INSERT INTO "new_GoalTurn" ("agentId", "digest", "endedAt", "epoch", "evidence", "goalId", "hermesSessionId", "id", "inputTokens", "judgedBy", "kind", "number", "outputTokens", "reason", "replyChars", "startedAt", "status", "stopAskedAt", "tail", "tools", "verdict", "why") SELECT "agentId", "digest", "endedAt", "epoch", "evidence", "goalId", "hermesSessionId", "id", "inputTokens", "judgedBy", "kind", "number", "outputTokens", "reason", "replyChars", "startedAt", "status", "stopAskedAt", "tail", "tools", "verdict", "why" FROM "GoalTurn";
DROP TABLE "GoalTurn";
ALTER TABLE "new_GoalTurn" RENAME TO "GoalTurn";
CREATE INDEX "GoalTurn_agentId_goalId_number_idx" ON "GoalTurn"("agentId", "goalId", "number");
CREATE INDEX "GoalTurn_agentId_status_idx" ON "GoalTurn"("agentId", "status");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
