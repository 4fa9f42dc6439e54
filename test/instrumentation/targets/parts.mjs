// The package's files by their own names: `client` and `azure` never come by `index`.
import { AzureOpenAI } from 'openai/azure'
import { OpenAI } from 'openai/client'

const messages = [{ role: 'user', content: 'What is a span?' }]
await new OpenAI().chat.completions.create({ model: 'client', messages })
const endpoint = process.env.OPENAI_BASE_URL.replace('/v1', '')
delete process.env.OPENAI_BASE_URL
const azure = new AzureOpenAI({ endpoint, apiVersion: '2024-10-21', apiKey: 'none' })
await azure.chat.completions.create({ model: 'azure', messages })
