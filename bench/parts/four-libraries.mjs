// Loads four LLM libraries, as an application does, and prints the CPU that the process took.
await Promise.all([import('openai-7'), import('@anthropic-ai/sdk'), import('groq-sdk'), import('@google/genai')])
const { user, system } = process.cpuUsage()
console.log(JSON.stringify({ cpu: (user + system) / 1000 }))
