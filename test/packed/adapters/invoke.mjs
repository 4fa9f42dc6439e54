// Invokes the handler named by `_HANDLER` for two users, one after the other, and is killed with the last answer.
const [file, name] = process.env._HANDLER.split('.')
const { [name]: handler } = await import(`./${file}.mjs`)
for (const user of ['ann', 'bob']) {
  const path = `/users/${user}`
  const event = {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: '',
    headers: { host: 'example.com' },
    requestContext: { http: { method: 'GET', path, sourceIp: '127.0.0.1' }, stage: '$default' },
    isBase64Encoded: false,
  }
  const { statusCode, body } = await handler(event, { functionName: 'shop', awsRequestId: user })
  console.log(statusCode, body)
}
process.stdout.write('', () => process.kill(process.pid, 'SIGKILL'))
