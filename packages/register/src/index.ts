import { createRequire } from 'node:module'
import { toolHere } from './tool.ts'

// `node --import @svc/register app.js` ends up here. What is heavy is loaded only where there is an application.
if (toolHere() === undefined) {
  // By `require`, because a preload that awaits could not be `--require`d.
  const { start } = createRequire(import.meta.url)('@svc/register/start') as typeof import('./start.ts')
  start()
}
