import { Agent, get } from 'node:http'

const AT_ONCE = 8
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })

/** CPU µs of the server for one request, after twice as many of which nothing is measured: V8 has settled by then. */
export async function cost(url, route, requests) {
  await load(`${url}/${route}`, 2 * requests)
  const before = await cpuOf(url)
  await load(`${url}/${route}`, requests)
  return ((await cpuOf(url)) - before) / requests
}

async function load(url, requests) {
  let left = requests
  const one = async () => {
    while (left-- > 0) await read(url)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}

async function cpuOf(url) {
  return JSON.parse(await read(`${url}/cpu`)).cpu
}

function read(url) {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        body += chunk
      })
      response.once('error', reject)
      response.once('end', () => {
        if (response.statusCode === 200) resolve(body)
        else reject(new Error(`${url} answered ${response.statusCode}`))
      })
    }).once('error', reject)
  })
}
