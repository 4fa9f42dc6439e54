import { startModelServer } from './src/start.js'

const { url } = await startModelServer({ port: Number(process.env.PORT ?? 8088) })
console.log(`The model server listens on ${url}`)
