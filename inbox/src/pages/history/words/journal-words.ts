import { translatedWords } from '../../../words/translated-words.ts'
import type { JournalFinding, Stretch } from '../journal/journal-findings.ts'

interface JournalWords {
  about: string
  nothingYet: string
  chains: string
  chain(entries: number): string
  entries(from: number, to: number, last: number): string
  newer: string
  older: string
  newest: string
  request: string
  export: {
    start: string
    stop: string
    hint: string
    under(entries: number, bytes: string): string
    done(entries: number): string
    tooLong(entries: number, bytes: string): string
  }
  verify: {
    start: string
    again: string
    under: string
    finding: Record<JournalFinding, string>
    explain: Record<JournalFinding, string>
    checked: string
    byChain: string
    checks(entries: number, chains: number, requests: number): string[]
    chain(entries: number): string
    stretch: Record<Stretch['kind'], string>
    range(from: number, to: number): string
    across: string
    wrong(count: number): string
    more(count: number): string
    problem: Readonly<Record<string, string>>
    at: string
  }
}

export const JOURNAL_WORDS = translatedWords<JournalWords>(
  {
    about:
      'Every step is recorded here. Each entry seals the entries before it, so a changed, removed or moved entry is detected. Arguments are masked.',
    nothingYet: 'No entries yet. Every step will be recorded here.',
    chains: 'Chains, one for each run of a server or program',
    chain: (entries) => (entries === 1 ? '1 entry' : `${entries.toLocaleString('en')} entries`),
    entries: (from, to, last) => `Entries ${from} to ${to} of ${last}, newest first`,
    newer: 'Newer',
    older: 'Older',
    newest: 'Newest',
    request: 'Open the request',
    export: {
      start: 'Save the whole journal',
      stop: 'Stop',
      hint: 'One entry per line. Check the file on any machine with `banksman journal verify`.',
      under: (entries, bytes) => `${entries.toLocaleString('en')} entries, ${bytes} so far…`,
      done: (entries) => `${entries.toLocaleString('en')} entries saved.`,
      tooLong: (entries, bytes) =>
        `Not saved: after ${entries.toLocaleString('en')} entries it is more than ${bytes}, too much for a page. Use \`banksman journal export\`.`,
    },
    verify: {
      start: 'Verify',
      again: 'Verify again',
      under: 'Checking every entry…',
      finding: {
        broken: 'Not intact: the journal was changed',
        empty: 'The journal is empty',
        unproven: 'No problems found, but this is not proof',
        proven: 'Intact: no problems found',
      },
      explain: {
        broken: 'The problems are listed below. Keep a copy of the journal before you do anything else.',
        empty: 'There is nothing to check yet.',
        unproven:
          'The journal is consistent. But somebody who can rewrite all of it can make it consistent again: proof needs signed checkpoints that are kept elsewhere.',
        proven: 'Proven up to the last signed checkpoint. Later entries are consistent with it.',
      },
      checked: 'What was checked',
      byChain: 'Proven range of each chain',
      checks: (entries, chains, requests) => [
        `${entries.toLocaleString('en')} entries in ${chains} ${chains === 1 ? 'chain' : 'chains'}: each hash was computed again from its entry`,
        'the numbers of each chain: 1, 2, 3 … without a gap',
        'the links of each entry to earlier ones, and between chains',
        'signed checkpoints: signature and hash',
        `the versions of ${requests.toLocaleString('en')} ${requests === 1 ? 'request' : 'requests'}: none missing, none twice`,
      ],
      chain: (entries) => (entries === 1 ? '1 entry' : `${entries.toLocaleString('en')} entries`),
      stretch: {
        proven: 'proven by a signed checkpoint',
        vouched: 'confirmed by later entries',
        alone: 'not confirmed yet',
      },
      range: (from, to) => (from === to ? `entry ${from}` : `entries ${from} to ${to}`),
      across: 'Across the chains',
      wrong: (count) => (count === 1 ? '1 problem' : `${count} problems`),
      more: (count) => `and ${count} more`,
      problem: {
        gap: 'Entries are missing',
        changed: 'Something was changed',
        bad_body: "An entry can't be read",
        truncated: 'The end was cut off',
        checkpoint_mismatch: "It doesn't match a signed checkpoint",
        bad_signature: 'A checkpoint has an invalid signature',
        unknown_key: 'A checkpoint is signed by an unknown key',
        missing_chain: 'A whole chain is missing',
        version_gap: 'A step of a request is missing',
        version_twice: 'A step of a request appears twice',
      },
      at: 'Show it',
    },
  },
  {
    about:
      '每一步都会记录在这里。每条记录都带有前面记录的校验值，任何修改、删除或移动都会被发现。参数已遮盖。',
    nothingYet: '还没有记录。每一步都会记录在这里。',
    chains: '日志链（服务器或程序每次启动各一条）',
    chain: (entries) => `${entries.toLocaleString('zh')} 条记录`,
    entries: (from, to, last) => `第 ${from} 至 ${to} 条，共 ${last} 条，最新在前`,
    newer: '较新',
    older: '较早',
    newest: '最新',
    request: '打开该请求',
    export: {
      start: '保存完整日志',
      stop: '停止',
      hint: '每行一条记录。可在另一台机器上用 `banksman journal verify` 验证该文件。',
      under: (entries, bytes) => `已读取 ${entries.toLocaleString('zh')} 条记录，${bytes}…`,
      done: (entries) => `已保存 ${entries.toLocaleString('zh')} 条记录。`,
      tooLong: (entries, bytes) =>
        `未保存：读到第 ${entries.toLocaleString('zh')} 条记录时已超过 ${bytes}，网页无法容纳。请使用 \`banksman journal export\`。`,
    },
    verify: {
      start: '验证',
      again: '重新验证',
      under: '正在逐条读取并检查…',
      finding: {
        broken: '日志已损坏：内容被改动过',
        empty: '日志为空',
        unproven: '未发现问题，但还不足以作为证明',
        proven: '日志完好：未发现问题',
      },
      explain: {
        broken: '问题及其位置列在下方。请先保留一份副本，再做其他处理。',
        empty: '还没有可检查的内容。',
        unproven: '日志前后一致。但能改写整个日志的人也能让它前后一致：要作为证明，需要另存一份签名检查点。',
        proven: '最后一个签名检查点之前的内容已得到证明，之后的记录与之前后一致。',
      },
      checked: '检查项目',
      byChain: '各条链的证明范围',
      checks: (entries, chains, requests) => [
        `${chains} 条链中的 ${entries.toLocaleString('zh')} 条记录：已由记录原文重新计算每个哈希`,
        '每条链的编号：1、2、3……没有缺号',
        '每条记录与之前记录、以及各条链之间的关联',
        '签名检查点的签名和哈希',
        `${requests.toLocaleString('zh')} 个请求的版本：没有缺失，没有重复`,
      ],
      chain: (entries) => `${entries.toLocaleString('zh')} 条记录`,
      stretch: {
        proven: '由签名检查点证明',
        vouched: '由后续记录印证',
        alone: '尚未印证',
      },
      range: (from, to) => (from === to ? `第 ${from} 条` : `第 ${from} 至 ${to} 条`),
      across: '跨链问题',
      wrong: (count) => `发现 ${count} 处问题`,
      more: (count) => `另有 ${count} 处`,
      problem: {
        gap: '缺少记录',
        changed: '内容被改动',
        bad_body: '记录无法读取',
        truncated: '末尾被截断',
        checkpoint_mismatch: '与签名检查点不符',
        bad_signature: '检查点的签名无效',
        unknown_key: '检查点由未知密钥签名',
        missing_chain: '整条链缺失',
        version_gap: '请求缺少某一步',
        version_twice: '请求的某一步出现两次',
      },
      at: '查看',
    },
  },
)
