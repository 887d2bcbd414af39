-- AlterTable
ALTER TABLE "GoalTurn" ADD COLUMN     "sent" TEXT NOT NULL DEFAULT '';
