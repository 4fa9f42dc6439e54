import { FastMCP } from 'fastmcp'
import { ask } from './tools.mjs'

const [, , way] = process.argv
const server = new FastMCP({ name: 'places', version: '1.2.0' })
server.addTool({ name: 'ask', description: 'Asks a model', execute: ask })
if (way === 'stdio') await server.start({ transportType: 'stdio' })
else {
  const port = Number(process.env.PORT)
  const httpStream = { port, host: '127.0.0.1', stateless: way === 'stateless' }
  await server.start({ transportType: 'httpStream', httpStream })
  console.error(`listening on ${port}`)
}
