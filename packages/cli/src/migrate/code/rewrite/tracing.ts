import type { NodePath } from '@babel/traverse'
import type { Node } from '@babel/types'
import { isRootSpan, observationAround } from '../follow/calls.ts'
import { evaluate } from '../follow/evaluate.ts'
import { nameOf, pathOf, pathsOf } from '../follow/value.ts'
import { endOf, type Sheet, startOf } from './sheet.ts'

const HEADING = 'input-and-output-of-a-trace'
const NOT_ROOT = 'Input and output of a trace are those of its root observation, which this is not: update the root.'
const ROOT = 'Input and output of a trace are those of its root observation: make sure that this is the root.'

/** Rewrites or reports `span.setTraceIO`, updates of events, `item.link`, and results of `compile`. */
export function rewriteMethod(path: NodePath, sheet: Sheet) {
  const { property, computed } = path.node as never as { property: Node; computed: boolean }
  const name = nameOf(path)
  const object = evaluate(pathOf(path, 'object'))
  if (object?.kind === 'span' && name === 'setTraceIO') {
    if (!object.isRoot) return sheet.remark('error', property, HEADING, NOT_ROOT)
    sheet.replace(startOf(property), endOf(property), computed ? "'update'" : 'update')
    sheet.remark('info', property, HEADING, ROOT)
  }
  if (object?.kind === 'span' && name === 'updateTrace') {
    sheet.remark('error', property, HEADING, 'updateTrace is gone. Use update on the root, and propagateAttributes.')
  }
  if (object === undefined && name === 'setTraceIO') {
    sheet.remark('warning', property, HEADING, 'If this is an observation, setTraceIO is gone: use update on the root.')
  }
  if (object?.kind === 'span' && object.isEvent && name === 'update') {
    sheet.remark('error', property, 'types', 'An event gets its attributes when it is created and has no update.')
  }
  if (object?.kind === 'item' && name === 'link') {
    sheet.remark(
      'error',
      property,
      'itemlink',
      'item.link is gone. Use dataset.runExperiment({ name, task, evaluators }).',
    )
  }
  if (computed && isCompiled(pathOf(path, 'object'))) {
    sheet.remark('warning', property, 'types', 'Messages of a chat prompt are typed and may include placeholders.')
  }
}

function isCompiled(path: NodePath): boolean {
  if (!path.isCallExpression()) return false
  const callee = pathOf(path, 'callee')
  return (
    callee.isMemberExpression() && nameOf(callee) === 'compile' && evaluate(pathOf(callee, 'object'))?.kind === 'prompt'
  )
}

/** Reports direct calls of an evaluator. */
export function checkEvaluator(call: NodePath, sheet: Sheet) {
  if (evaluate(pathOf(call, 'callee'))?.kind !== 'evaluator' || pathsOf(call, 'arguments').length !== 1) return
  sheet.remark('error', call, 'types', 'Evaluators have a second parameter, { abortSignal }.')
}

/** Rewrites `setActiveTraceIO(…)`, also under another name. */
export function rewriteActiveTraceIO(path: NodePath, sheet: Sheet) {
  const value = evaluate(path)
  if (value?.kind !== 'module' || value.name !== '@svc/tracing' || value.path.join('.') !== 'setActiveTraceIO') return
  const isMember = path.isMemberExpression() || path.isOptionalMemberExpression()
  const named = isMember ? pathOf(path, 'property') : path
  if (!path.parentPath?.isCallExpression() || path.key !== 'callee') return
  if (isInner(path)) return sheet.remark('error', named, HEADING, NOT_ROOT)
  sheet.remark('info', named, HEADING, ROOT)
  if (isMember) sheet.replace(startOf(named), endOf(named), 'updateActiveObservation')
}

/** Whether a call is inside a nested observation. */
export function isInner(path: NodePath): boolean {
  const call = observationAround(path)?.parentPath
  return call ? !isRootSpan(call) : false
}

/** Rewrites the options of `new SvcSpanProcessor({ env: process.env, mask })`. */
export function rewriteProcessor(path: NodePath, sheet: Sheet) {
  const made = evaluate(pathOf(path, 'callee'))
  if (made?.kind !== 'module' || made.path.join('.') !== 'SvcSpanProcessor') return
  const options = evaluate(pathsOf(path, 'arguments')[0])
  if (options?.kind !== 'object') return
  for (const property of pathsOf(options.at, 'properties')) {
    const name = nameOf(property)
    if (name === 'mask' && !looksAtTypes(property)) {
      sheet.remark('warning', property, 'types', 'mask gets decoded values: `data` may be a number or an object.')
    }
    if (name === 'env' && property.isObjectProperty()) rewriteEnvironment(pathOf(property, 'value'), property, sheet)
  }
}

/** Whether a mask is one for values of every type, as far as it is found. */
function looksAtTypes(property: NodePath): boolean {
  const mask = property.isObjectProperty() ? evaluate(pathOf(property, 'value')) : undefined
  return /\b(?:typeof|isArray|instanceof)\b/.test(String(mask?.kind === 'function' ? mask.at : property))
}

function rewriteEnvironment(value: NodePath, property: NodePath, sheet: Sheet) {
  if (evaluate(value)?.kind === 'function') return
  const text = sheet.source(value)
  if (!/^[\w$.]+$/.test(text) || property.node.type !== 'ObjectProperty' || property.node.shorthand) {
    return sheet.remark('error', property, 'types', 'env is a function: (variable) => values[variable].')
  }
  sheet.replace(startOf(value), endOf(value), `(variable) => ${text}[variable]`)
}
