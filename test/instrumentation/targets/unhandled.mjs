// Nobody waits for the call that fails: Node ends the process, with us or without us.
import OpenAI from 'openai'

const messages = [{ role: 'user', content: 'What is a span?' }]
process.on('exit', (code) => console.log(`exit code ${code}`))
void new OpenAI({ maxRetries: 0 }).chat.completions.create({ model: 'error-429', messages }).then(() => {})
