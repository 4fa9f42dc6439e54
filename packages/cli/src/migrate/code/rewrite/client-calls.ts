import type { NodePath } from '@babel/traverse'
import { evaluate } from '../follow/evaluate.ts'
import { nameOf, pathOf, pathsOf, propertyNamed } from '../follow/value.ts'
import { MEMBERS, movedPath } from '../tables/members.ts'
import { REQUEST_OPTIONS, REQUEST_SLOTS } from '../tables/request-slots.ts'
import { endOf, type Sheet, startOf } from './sheet.ts'

/** Rewrites the arguments of client calls: the empty request, scores as a list, `id` for `scoreIds`. */
export function rewriteCall(call: NodePath, sheet: Sheet) {
  const value = evaluate(pathOf(call, 'callee'))
  const path = value?.kind === 'client' ? movedPath(value.path) : undefined
  if (value?.kind !== 'client' || !path || path[0] !== 'api') {
    if (value?.kind === 'client' && path?.join('.') === 'prompt.get') checkFallback(call, sheet)
    return
  }
  const method = path.slice(1).join('.')
  const slot = REQUEST_SLOTS[method]
  if (slot !== undefined) insertRequest(call, slot, method, sheet)
  if (method === 'scores.create') wrapScores(call, value.path.join('.'), sheet)
  if (method === 'scores.getMany' && value.path.includes('scores')) renameFilters(call, sheet)
}

const SLOTS = 'an-empty-request-before-the-options'

function insertRequest(call: NodePath, slot: number, method: string, sheet: Sheet) {
  const given = pathsOf(call, 'arguments')
  if (given.slice(0, slot + 1).some((each) => each.isSpreadElement())) {
    sheet.remark(
      'warning',
      call,
      SLOTS,
      `api.${method} takes an empty request before the options: check the spread arguments.`,
    )
  }
  const options = given[slot]
  if (given.length !== slot + 1 || !options || options.isSpreadElement()) return
  if (options.isIdentifier({ name: 'undefined' }) || isEmptyObject(options)) return
  const keys = optionKeys(options)
  if (keys === 'unknown' && !sheet.isVersion5) {
    sheet.remark('warning', options, SLOTS, `api.${method}: if these are request options, insert {} before them.`)
  } else if (keys !== 'request') {
    sheet.insert(startOf(options), '{}, ')
  }
}

const isEmptyObject = (path: NodePath) => path.isObjectExpression() && path.node.properties.length === 0

/** Classifies an argument by its keys. */
function optionKeys(path: NodePath): 'options' | 'request' | 'unknown' {
  const value = evaluate(path)
  if (value?.kind !== 'object') return 'unknown'
  const keys = keysOf(value.at)
  return keys.some((key) => REQUEST_OPTIONS.has(key)) ? 'options' : keys.includes('...') ? 'unknown' : 'request'
}

function keysOf(path: NodePath): string[] {
  return pathsOf(path, 'properties').map((each) => nameOf(each) ?? '...')
}

function wrapScores(call: NodePath, from: string, sheet: Sheet) {
  const [score] = pathsOf(call, 'arguments')
  if (!score || isList(score)) return
  const isOne = evaluate(score)?.kind === 'object'
  const message = `${from} takes a list of scores in version 6.`
  if (score.isSpreadElement()) return sheet.remark('error', score, 'scores', message)
  if (!isOne && !sheet.isVersion5) return sheet.remark('warning', score, 'scores', message)
  sheet.insert(startOf(score), '[')
  sheet.insert(endOf(score), ']')
  const instead = MEMBERS['api.scores.create']?.instead ?? ''
  if (isRead(call)) sheet.remark('error', call, 'scores', instead)
}

function isList(path: NodePath): boolean {
  if (path.isArrayExpression()) return true
  if (path.isCallExpression())
    return /\.(map|filter|slice|flat|flatMap|concat|splice)\($/.test(`${path.get('callee').toString()}(`)
  const binding = path.isIdentifier() ? path.scope.getBinding(path.node.name) : undefined
  const init = binding?.path.isVariableDeclarator() ? pathOf(binding.path, 'init') : undefined
  return init?.node ? isList(init) : false
}

/** Whether the result of a call is used. */
function isRead(call: NodePath): boolean {
  const at = call.parentPath?.isAwaitExpression() ? call.parentPath : call
  const { parentPath } = at
  if (parentPath?.isMemberExpression()) return !/^(then|catch|finally)$/.test(nameOf(parentPath) ?? '')
  return parentPath?.isVariableDeclarator() === true || parentPath?.isAssignmentExpression() === true
}

/** Filters of scores API v2 that v3 does not have. */
const GONE_FILTERS = new Set(['page', 'userId', 'operator', 'traceTags', 'datasetRunId'])

function renameFilters(call: NodePath, sheet: Sheet) {
  const [request] = pathsOf(call, 'arguments')
  if (!request) return
  const value = evaluate(request)
  if (value?.kind !== 'object') {
    if (sheet.isVersion5) {
      sheet.remark(
        'warning',
        request,
        'scores',
        'api.scores.getMany filters by id instead of scoreIds, and has a cursor instead of page.',
      )
    }
    return
  }
  for (const property of pathsOf(value.at, 'properties')) {
    if (!property.isObjectProperty()) continue
    const name = nameOf(property)
    if (name === 'scoreIds') sheet.renameKey(property, 'id')
    if (GONE_FILTERS.has(name ?? '')) {
      sheet.remark('error', property, 'scores', `api.scores.getMany has no filter ${name} any more.`)
    }
  }
}

/** Reports a fallback of a chat prompt that is a string. */
function checkFallback(call: NodePath, sheet: Sheet) {
  const options = evaluate(pathsOf(call, 'arguments')[1])
  if (options?.kind !== 'object') return
  const type = propertyNamed(options.at, 'type')
  const fallback = propertyNamed(options.at, 'fallback')
  if (!type || !fallback || !pathOf(type, 'value').isStringLiteral({ value: 'chat' })) return
  const text = pathOf(fallback, 'value')
  if (!text.isStringLiteral() && !text.isTemplateLiteral()) return
  sheet.remark('error', fallback, 'types', 'The fallback of a chat prompt is a list of messages: [{ role, content }].')
}
