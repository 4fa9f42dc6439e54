/** A framework of agents, whose program in `agents` asks for the weather in two cities, at once or streamed. */
export interface Agents {
  readonly name: string
  readonly program: string
  readonly dependencies: Readonly<Record<string, string>>
  /** Whether it can be required, too. Default: no */
  readonly commonJs?: true
  /** What the trace calls its agent. Default: not tried */
  readonly agent?: string
  /** Whether it needs an installation of its own. Default: no */
  readonly isAlone?: true
}

const zod = '4.6.7'
const ai = { ai: '6.0.326', '@ai-sdk/openai': '3.0.141', zod }
const langchain = { '@langchain/core': '1.4.0', '@langchain/openai': '1.5.8', '@langchain/langgraph': '1.7.3', zod }

/*
 * Not among them: Cloudflare's `agents`, which Node cannot load (`cloudflare:workers`), Vercel's `workflow`, whose programs
 * a build rewrites, and two of `applications.ts`, the Claude Agent SDK and CopilotKit's runtime.
 */
export const AGENTS: readonly Agents[] = [
  {
    name: 'AI SDK 5',
    program: 'ai-sdk',
    dependencies: { ai: '5.0.277', '@ai-sdk/openai': '2.0.131', zod },
    commonJs: true,
  },
  { name: 'AI SDK 6', program: 'ai-sdk', dependencies: ai, commonJs: true },
  { name: 'AI SDK 7', program: 'ai-sdk', dependencies: { ai: '7.0.173', '@ai-sdk/openai': '4.0.118', zod } },
  { name: 'assistant-ui', program: 'assistant-ui', dependencies: { ...ai, 'assistant-stream': '0.3.57' } },
  { name: 'LangChain', program: 'langchain', dependencies: { ...langchain, langchain: '1.5.14' }, commonJs: true },
  { name: 'LangGraph', program: 'langgraph', dependencies: langchain, commonJs: true },
  {
    name: 'Deep Agents',
    program: 'deepagents',
    dependencies: { ...langchain, langchain: '1.5.14', deepagents: '1.14.1' },
    commonJs: true,
  },
  {
    name: 'LlamaIndex',
    program: 'llamaindex',
    dependencies: { llamaindex: '0.12.1', '@llamaindex/openai': '0.4.22', '@llamaindex/workflow': '1.1.24', zod },
    commonJs: true,
  },
  {
    name: "OpenAI's Agents SDK",
    program: 'openai-agents',
    dependencies: { '@openai/agents': '0.20.0', zod },
    commonJs: true,
  },
  {
    name: 'Strands',
    program: 'strands',
    dependencies: { '@strands-agents/sdk': '1.19.0', openai: '6.49.0', zod },
  },
  {
    name: "Google's Agent Development Kit",
    program: 'adk',
    dependencies: { '@google/adk': '2.0.0', zod },
    commonJs: true,
  },
  {
    name: 'Genkit',
    program: 'genkit',
    dependencies: { genkit: '1.42.0', '@genkit-ai/compat-oai': '1.42.0' },
    commonJs: true,
  },
  { name: 'Mastra', program: 'mastra', dependencies: { ...ai, '@mastra/core': '1.71.0' }, commonJs: true },
  {
    name: "Mastra's workflows",
    program: 'mastra-workflow',
    dependencies: { ...ai, '@mastra/core': '1.71.0', '@mastra/libsql': '1.23.1' },
  },
  {
    name: 'VoltAgent',
    program: 'voltagent',
    dependencies: { ...ai, '@voltagent/core': '2.10.0' },
    commonJs: true,
    agent: 'guide:ai.',
  },
  { name: 'Pi', program: 'pi', dependencies: { '@mariozechner/pi-agent-core': '0.73.1' } },
  {
    name: 'Pi 1',
    program: 'pi-1',
    dependencies: { '@earendil-works/pi-agent-core': '1.6.0', '@earendil-works/pi-ai': '1.6.0' },
  },
  {
    name: 'TanStack AI',
    program: 'tanstack',
    dependencies: { '@tanstack/ai': '0.58.0', '@tanstack/ai-openai': '0.23.1', zod },
  },
  { name: 'ax', program: 'ax', dependencies: { '@ax-llm/ax': '24.0.21' }, commonJs: true },
  {
    name: "Inngest's AgentKit",
    program: 'agentkit',
    dependencies: { '@inngest/agent-kit': '0.13.2', inngest: '4.24.0', zod },
    commonJs: true,
  },
  {
    name: 'BeeAI',
    program: 'beeai',
    // It finds its zod 3 only beside itself, and does not say that it needs uuid.
    dependencies: { ...ai, 'beeai-framework': '0.1.30', zod: '3.25.76', uuid: '11.1.0' },
    commonJs: true,
    agent: 'Guide',
    isAlone: true,
  },
  { name: 'xsAI', program: 'xsai', dependencies: { xsai: '0.4.4' } },
  { name: 'runTools of openai', program: 'openai', dependencies: { openai: '7.55.0' }, commonJs: true },
  {
    name: 'toolRunner of Anthropic',
    program: 'anthropic',
    dependencies: { '@anthropic-ai/sdk': '1.14.0' },
    commonJs: true,
  },
]
