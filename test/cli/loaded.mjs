import { registerHooks } from 'node:module'

// Says which files are loaded.
registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith('file:')) console.error(url)
    return nextLoad(url, context)
  },
})
