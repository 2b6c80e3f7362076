import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { Block, CallParts, WireCommandLine } from '../../../../src/client/index.ts'
import { isolateRightToLeft } from '../../components/text/isolate-right-to-left.tsx'
import { useOwnWords } from '../../context/context.ts'
import { REQUEST_WORDS } from '../words/words.ts'
import { CommandLine, type CommandLineProps } from './command-line.tsx'
import { CommandList } from './command-list.tsx'
import { DiffView } from './diff-view.tsx'
import { DoubtList } from './doubt-list.tsx'
import { FieldList } from './field-list.tsx'
import { BLOCK_LIMITS, COMPACT_LIMITS } from './fold-limits.ts'
import { isAside } from './is-aside.ts'
import { type MaskedRequestArguments, valueOfBlock } from './json-tree.ts'
import { JsonTree } from './json-tree-view.tsx'
import { TextBlockView } from './text-block-view.tsx'
import { WholeValues } from './whole-values.tsx'

export interface CallViewProps {
  parts: CallParts
  line?: WireCommandLine | undefined
  /** The call's arguments, masked. With them nested values fold, and what was shortened can be seen whole. */
  request?: MaskedRequestArguments | undefined
  /** Beside other things: long values fold sooner. */
  isCompact?: boolean
  /** Stands after the action, before what the policy says of each command. */
  children?: ComponentChildren
}

/** A call, laid out: every argument exactly once, in the form in which it is read best. What the policy says of its commands follows. */
export function CallView({ parts, line, request, isCompact = false, children }: CallViewProps) {
  const words = useOwnWords(REQUEST_WORDS).call
  const { shape, blocks } = parts
  const fields = parts.fields.filter((field) => !isAside(field))
  const id = useId()
  const [chosen, choose] = useState<number>()
  const show = (block: Block) => (
    <BlockView
      key={block.pointers.join(' ')}
      block={block}
      line={line === undefined ? undefined : { line, id, chosen, choose }}
      request={request}
      isCompact={isCompact}
    />
  )
  // A command is what one looks for first; a change of a file is read after the file's name.
  const isFirst = (block: Block) => shape === 'command' && block.kind === 'code'
  return (
    <div class={isCompact ? 'call-view is-compact' : 'call-view'}>
      {blocks.filter(isFirst).map(show)}
      <FieldList fields={fields} request={request} />
      {blocks.filter((block) => !isFirst(block)).map(show)}
      {fields.length + blocks.length === 0 ? <p class="hint">{words.none}</p> : null}
      <span class="action-end" />
      {children}
      {line === undefined ? null : (
        <>
          <CommandList commands={line.commands} chosen={chosen} id={id} />
          <DoubtList line={line} />
        </>
      )}
    </div>
  )
}

interface BlockViewProps {
  block: Block
  line: Omit<CommandLineProps, 'room'> | undefined
  request: MaskedRequestArguments | undefined
  isCompact: boolean
}

function BlockView({ block, line, request, isCompact }: BlockViewProps) {
  const room = isCompact ? COMPACT_LIMITS : BLOCK_LIMITS
  const found = request === undefined ? undefined : valueOfBlock(request.arguments, block.pointers)
  const isLine = line !== undefined && isSameList(block.pointers, line.line.pointers ?? [line.line.pointer])
  // A text that was shortened opens where it stands; what was put together of several values does not.
  const opensItself =
    !isLine && (block.kind === 'json' || block.kind === 'text' || typeof found?.value === 'string')
  return (
    <section class="block">
      {/* Of a command line everybody sees what it is. */}
      <h4 class={isLine ? 'unseen' : 'block-label'}>{isolateRightToLeft(block.label)}</h4>
      {isLine ? (
        <CommandLine {...line} room={room} />
      ) : block.kind === 'diff' ? (
        <DiffView block={block} />
      ) : block.kind === 'json' && found !== undefined ? (
        <JsonTree {...found} masks={request?.masks ?? []} />
      ) : (
        <TextBlockView block={block} room={room} whole={found?.value} />
      )}
      {isShortened(block) && request !== undefined && !opensItself ? (
        <WholeValues pointers={block.pointers} request={request} />
      ) : null}
    </section>
  )
}

/** Of a difference a single long line can be shortened, and no line be left out. */
function isShortened(block: Block): boolean {
  if (block.shortened !== undefined || block.kind !== 'diff') return block.shortened !== undefined
  return block.rows.some((row) => 'value' in row && row.value.spans.some(({ kind }) => kind === 'left-out'))
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index])
}
