// What the page about bundled applications says, for all of them.
import * as anthropic from '@anthropic-ai/sdk'
import * as bedrock from '@aws-sdk/client-bedrock-runtime'
import * as genai from '@google/genai'
import * as callbacks from '@langchain/core/callbacks/manager'
import * as chatModels from '@langchain/core/language_models/chat_models'
import * as llms from '@langchain/core/language_models/llms'
import * as retrievers from '@langchain/core/retrievers'
import * as runnables from '@langchain/core/runnables'
import * as singletons from '@langchain/core/singletons'
import * as tools from '@langchain/core/tools'
import * as streams from '@langchain/core/utils/stream'
import * as mistral from '@mistralai/mistralai'
import * as mcp from '@modelcontextprotocol/sdk/client/index.js'
import * as agents from '@openai/agents'
import { instrument } from '@svc/instrumentation'
import * as cohere from 'cohere-ai'
import * as groq from 'groq-sdk'
import * as ollama from 'ollama'
import * as openai from 'openai'
import * as together from 'together-ai'

instrument(openai, anthropic, groq, together, genai, ollama, cohere, bedrock, mistral, agents, mcp)
instrument(callbacks, singletons, chatModels, llms, runnables, retrievers, tools, streams)
