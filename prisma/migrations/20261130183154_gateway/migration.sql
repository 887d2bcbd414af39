-- CreateTable
CREATE TABLE "GatewayLink" (
    "agentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "instance" TEXT NOT NULL,
    "lastEvent" INTEGER NOT NULL DEFAULT 0,
    "hermesVersion" TEXT,
    "pluginVersion" TEXT,
    "can" JSONB NOT NULL,
    "connectedAt" DATETIME NOT NULL,
    "lastSeenAt" DATETIME NOT NULL,
    "leftAt" DATETIME,

    PRIMARY KEY ("agentId", "id")
);

-- CreateTable
CREATE TABLE "GatewayOrder" (
    "seq" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "agentId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "turnId" TEXT,
    "payload" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "note" TEXT,
    "createdAt" DATETIME NOT NULL,
    "handedAt" DATETIME,
    "settledAt" DATETIME
);

-- CreateTable
CREATE TABLE "GatewayTurn" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "chatId" TEXT NOT NULL,
    "threadId" TEXT,
    "sessionKey" TEXT,
    "status" TEXT NOT NULL,
    "instance" TEXT,
    "sessionId" TEXT,
    "said" JSONB NOT NULL,
    "asked" JSONB NOT NULL,
    "files" JSONB NOT NULL,
    "why" TEXT,
    "toolCalls" INTEGER NOT NULL DEFAULT 0,
    "createdAt" DATETIME NOT NULL,
    "endedAt" DATETIME
);

-- CreateTable
CREATE TABLE "AgentMessage" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "receiveIdType" TEXT NOT NULL,
    "receiveId" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "files" JSONB NOT NULL,
    "parts" INTEGER NOT NULL,
    "broken" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" DATETIME NOT NULL,
    "editedAt" DATETIME
);

-- CreateIndex
CREATE UNIQUE INDEX "GatewayOrder_key_key" ON "GatewayOrder"("key");

-- CreateIndex
CREATE INDEX "GatewayOrder_agentId_status_seq_idx" ON "GatewayOrder"("agentId", "status", "seq");

-- CreateIndex
CREATE INDEX "GatewayTurn_agentId_status_idx" ON "GatewayTurn"("agentId", "status");

-- CreateIndex
CREATE INDEX "GatewayTurn_agentId_sessionKey_createdAt_idx" ON "GatewayTurn"("agentId", "sessionKey", "createdAt");

-- CreateIndex
CREATE INDEX "GatewayTurn_agentId_chatId_idx" ON "GatewayTurn"("agentId", "chatId");

-- CreateIndex
CREATE INDEX "AgentMessage_agentId_createdAt_idx" ON "AgentMessage"("agentId", "createdAt");
