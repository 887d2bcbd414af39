/** 服务器自身：检查、备份。 */
export const server = {
  summary: { doctor: "检查各个部分，说清哪里要改、怎么改", backup: "把现在的数据存成一个备份文件" },
  notHere: "这里做不了这个。请在运行 Herald 的机器上用 npx herald doctor 或 npx herald backup。",
  noAnswer: "没有等到结果。请在运行 Herald 的机器上再试一次。",
};
