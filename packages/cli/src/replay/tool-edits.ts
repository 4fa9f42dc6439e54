import * as SLOTS from '@svc/core/slots'

const FIND = `globalThis[Symbol.for(${JSON.stringify(SLOTS.REPLAY)})]?.find`

type Edit = (source: string) => string

/** Puts code at the start of a function. */
const inFront =
  (start: RegExp, code: string): Edit =>
  (source) =>
    source.replace(start, (found) => `${found} ${code}`)

const aiSdk = inFront(
  /async function\* executeTool\(\{[^}]*\}\) \{/,
  `const svcFound = ${FIND}(arguments[0].input); if (svcFound) { yield { type: "final", output: svcFound.output }; return; }`,
)
const agents = inFront(
  /async function invokeFunctionTool\(args\) \{/,
  `const svcFound = ${FIND}(args.input); if (svcFound) return svcFound.output;`,
)
const mcp = inFront(
  /\basync callTool\(params, resultSchema = \w+, options\) \{/,
  `const svcFound = ${FIND}Result(params.arguments ?? {}); if (svcFound) return svcFound.output;`,
)
/** Models get a text; of a tool with artifacts, a trace has the content alone. */
const langchain: Edit = (source) =>
  source.replace(
    /await this\._call\(parsed, runManager, config\)/,
    (called) =>
      `await (async () => { const svcFound = ${FIND}(parsed, this.name); if (!svcFound) return ${called}; ` +
      'return this.responseFormat === "content_and_artifact" ? [svcFound.text, []] : svcFound.text; })()',
  )

/** Where tools are called that no wrapper of ours calls, by the file of the package. */
export const TOOL_EDITS: Readonly<Record<string, Edit>> = {
  '@ai-sdk/provider-utils/dist/index.mjs': aiSdk,
  '@ai-sdk/provider-utils/dist/index.js': aiSdk,
  '@openai/agents-core/dist/tool.mjs': agents,
  '@openai/agents-core/dist/tool.js': agents,
  '@langchain/core/dist/tools/index.js': langchain,
  '@langchain/core/dist/tools/index.cjs': langchain,
  '@modelcontextprotocol/sdk/dist/client/index.js': mcp,
  '@modelcontextprotocol/sdk/dist/esm/client/index.js': mcp,
  '@modelcontextprotocol/sdk/dist/cjs/client/index.js': mcp,
}
