// A promise that nobody ever asks for its value sends its request, and hides its failure.
import OpenAI from 'openai'

const messages = [{ role: 'user', content: 'What is a span?' }]
process.on('unhandledRejection', (error) => console.log(`unhandled: ${error.message}`))
void new OpenAI({ maxRetries: 0 }).chat.completions.create({ model: 'error-429', messages })
