// Stands between a client and its server, and keeps what they say: `$WIRE` is the file, `$SERVER` the program.
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'

const { SERVER, WIRE } = process.env
const server = spawn(process.execPath, [SERVER, 'stdio'], { stdio: ['pipe', 'pipe', 'inherit'] })
const pass = (from, to) =>
  from
    .on('data', (chunk) => {
      appendFileSync(WIRE, chunk)
      to.write(chunk)
    })
    .on('end', () => to.end())
pass(process.stdin, server.stdin)
pass(server.stdout, process.stdout)
