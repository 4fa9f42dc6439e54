// Opens a request to the first argument, by way of the proxy in the second, and has nothing else to do.
import { nodeHttp } from '@svc/core/node-http'
import { DIRECT } from '@svc/core/transport'

const [, , url, proxy] = process.argv
const transport = { ...DIRECT, proxy: { httpProxy: proxy, httpsProxy: proxy, noProxy: [] } }
const request = nodeHttp(transport).open(url, { method: 'POST' })
request.on('response', (response) => response.resume())
request.on('error', (error) => console.log(error.message))
request.end('body')
