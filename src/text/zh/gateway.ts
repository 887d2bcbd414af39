/** Words around what Hermes sends by itself. */
export const gateway = {
  origin: {
    said: "Hermes 主动发来",
    cron: "Hermes 定时任务",
    turn: "Hermes 自己接着做的",
    question: "Hermes 在问",
  },
  part: (part: number, parts: number) => `第 ${part}/${parts} 部分`,
  broken: "说到一半，Hermes 断开了，后面的没有收到。",
  question: "这件事不是从这里发起的，在这里回答不了；没人回答的话，过一会儿它会自己作罢。",
};
