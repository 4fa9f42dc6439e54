// Calls the handler as AWS Lambda does, and ends the process as it ends one that is frozen: nobody is told.
import { randomUUID } from 'node:crypto'
import { handler } from './index.js'

const [question = 'What is the weather in Paris?'] = process.argv.slice(2)
const event = { requestContext: { http: { method: 'POST' } }, headers: {}, body: JSON.stringify({ question }) }
const context = {
  functionName: 'ask',
  awsRequestId: randomUUID(),
  invokedFunctionArn: 'arn:aws:lambda:eu-west-1:123456789012:function:ask',
  getRemainingTimeInMillis: () => 60_000,
}
console.log(await handler(event, context))
process.kill(process.pid, 'SIGKILL')
