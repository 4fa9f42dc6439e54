// BAML's way by fetch: its engine writes the request and reads the answer, and the application sends it. Then its own way,
// where the engine sends it as well.
import baml from '@boundaryml/baml'

const source = `
client<llm> Model {
  provider openai
  options {
    model "gpt-test"
    api_key "none"
    base_url "${process.env.OPENAI_BASE_URL}"
  }
}

function Say(what: string) -> string {
  client Model
  prompt #"{{ what }}"#
}
`
const runtime = baml.BamlRuntime.fromFiles('.', { 'main.baml': source }, process.env)
const context = runtime.createContextManager()
const asked = await runtime.buildRequest('Say', { what: 'Say hello.' }, context, null, null, false, process.env)
const { url, method, headers, body } = asked
const { choices } = await (await fetch(url, { method, headers, body: body.text() })).json()
console.log(runtime.parseLlmResponse('Say', choices[0].message.content, false, context, null, null, process.env))

const more = [context, null, null, [], {}, process.env]
console.log((await runtime.callFunction('Say', { what: 'Say hello.' }, ...more)).parsed(false))
console.log((await runtime.callFunction('Say', { what: 'Say it again.' }, ...more)).parsed(false))
const stream = runtime.streamFunction('Say', { what: 'Say it slowly.' }, undefined, ...more)
console.log((await stream.done(context)).parsed(false))
