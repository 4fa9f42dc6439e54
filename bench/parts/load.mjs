// Sends that many requests over a few connections that stay open, and fails when one of them is not answered with 200.
import { Agent, get } from 'node:http'

const [url, count] = process.argv.slice(2)
const CONNECTIONS = 16
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
let left = Number(count)

await Promise.all(Array.from({ length: CONNECTIONS }, sendUntilNoneIsLeft))
agent.destroy()

async function sendUntilNoneIsLeft() {
  while (left-- > 0) await send()
}

function send() {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`))
      response.resume().once('end', resolve)
    }).once('error', reject)
  })
}
