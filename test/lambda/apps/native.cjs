// What rapid-client.node of aws-lambda-ric exports. There a post holds the process until it is answered; here the next
// request waits for it.
const http = require('node:http')

const [host, port] = process.env.AWS_LAMBDA_RUNTIME_API.split(':')
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
let posted = Promise.resolve()

const ask = (method, path, body, headers) =>
  new Promise((resolve, reject) => {
    const options = { method, host, port, agent, path: `/2018-06-01/runtime/${path}`, headers }
    http
      .request(options, async (response) => {
        const chunks = await response.toArray()
        resolve({ bodyJson: Buffer.concat(chunks).toString(), headers: response.headers })
      })
      .on('error', reject)
      .end(body)
  })

module.exports = {
  async next() {
    await posted
    const invocation = await ask('GET', 'invocation/next')
    globalThis.thawed?.()
    return invocation
  },
  done(id, body) {
    posted = ask('POST', `invocation/${id}/response`, body)
  },
  error(id, body) {
    posted = ask('POST', `invocation/${id}/error`, body)
  },
}
