// An ES module of the application, required.
const { answer } = require('./asks.mjs')
answer().then((text) => console.log(text))
