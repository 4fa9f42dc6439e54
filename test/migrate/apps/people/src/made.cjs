// @ts-check
const { SvcClient } = require('@svc/client')

class Loader {
  constructor(client, name) {
    this.client = client
    this.name = name
  }
  load() {
    return this.client.getPrompt(this.name)
  }
}

function withDefaults(client, options = {}) {
  return client.api.datasets.get('a', { maxRetries: 0, ...options })
}

const client = new SvcClient()
exports.loader = new Loader(client, 'a')
exports.dataset = withDefaults(client)
exports.handlers = {
  client,
  load() {
    return this.client.getPrompt('a')
  },
}
