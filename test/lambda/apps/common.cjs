const asked = import('./ask.mjs')

const answerOf = async ({ question }) => ({ answer: await (await asked).ask(question) })

exports.calls = (event, _, callback) => {
  answerOf(event).then((answer) => callback(null, answer), callback)
}
exports.succeeds = (event, context) => {
  answerOf(event).then(context.succeed, context.fail)
}
exports.nested = { deep: { handler: answerOf } }
// As bundlers write exports: they cannot be changed.
Object.defineProperty(exports, 'bundled', { enumerable: true, get: () => answerOf })
