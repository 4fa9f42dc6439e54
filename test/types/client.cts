// The built client as CommonJS sees it. Compiled by types.test.ts, never run.
import client = require('@svc/client')
import scores = require('@svc/client/score')

const { SvcClient } = client
new SvcClient().getProjectId() satisfies Promise<string>
scores.createScoreManager().create({ name: 'n', value: 1 })
// @ts-expect-error removed in v6: prompt.get
new SvcClient().getPrompt('p')
