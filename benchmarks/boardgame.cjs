// The peer: boardgame.io's own server with a small match, as its tutorial sets one up.
const { Server, Origins } = require("boardgame.io/server");

const bench = {
  name: "bench",
  setup: () => ({ cells: Array(64).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { put: ({ G, playerID }, cell) => { G.cells[cell % 64] = playerID; } },
};
const server = Server({ games: [bench], origins: [Origins.LOCALHOST] });
server.run({ port: Number(process.argv[2]), callback: () => console.log("ready") });
