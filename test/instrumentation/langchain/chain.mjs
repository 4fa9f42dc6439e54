export function connect({ exports: { ChatOpenAI }, url }, options = {}) {
  const configuration = { baseURL: `${url}/v1`, ...options.configuration }
  return new ChatOpenAI({ model: 'gpt-4o-mini', apiKey: 'none', maxRetries: 0, ...options, configuration })
}

export function chainOf({ exports: { ChatPromptTemplate, StringOutputParser }, client }, model = client) {
  return ChatPromptTemplate.fromMessages([
    ['system', 'Be brief.'],
    ['human', '{question}'],
  ])
    .pipe(model)
    .pipe(new StringOutputParser())
}
