// @ts-check
const { SvcClient } = require('@svc/client')
const svc = require('@svc/client')
const { setActiveTraceIO, startObservation } = require('@svc/tracing')

const client = new SvcClient()
const second = new svc.SvcClient()
module.exports = { client, load, score }

/** @param {string} name */
async function load(name) {
  return (await client.getPrompt(name)).compile()
}

/** @param {import('@svc/client').SvcClient} given @param {number} value */
function score(given, value) {
  second.createDataset({ name: 'a' })
  startObservation('answer').setTraceIO({ output: value })
  return given.api.legacy.scoreV1.create({ name: 'exact', value })
}

setActiveTraceIO({ output: 1 })
