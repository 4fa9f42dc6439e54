// What the server of the cases has, whatever its version and however it is reached.

export const WEATHER = {
  name: 'weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

const result = (text) => ({ content: [{ type: 'text', text }] })

const TOOLS = {
  weather: (_, { city }) => result(`sunny in ${city}`),
  typed: () => ({ ...result('{"degrees":21}'), structuredContent: { degrees: 21 } }),
  picture: () => ({ content: [{ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }] }),
  broken: () => ({ ...result('no such city'), isError: true }),
  silent: () => new Promise(() => {}),
  patient: async (server, _, progress) => {
    await progress(server)
    return result('done')
  },
  'never done': async (server, _, progress) => {
    await progress(server)
    return new Promise(() => {})
  },
  curious: async (server) => {
    const requestedSchema = { type: 'object', properties: { city: { type: 'string' } } }
    const { content } = await server.elicitInput({ message: 'Which city?', requestedSchema })
    return result(`sunny in ${content.city}`)
  },
}

export function answerOf(server, { name, arguments: input, _meta }) {
  const tool = TOOLS[name]
  if (!tool) throw new Error('no such tool')
  const params = { progressToken: _meta?.progressToken, progress: 1, total: 2 }
  return tool(server, input, () => server.notification({ method: 'notifications/progress', params }))
}
