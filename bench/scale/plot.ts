/** A line plot as SVG, with logarithmic axes where asked, readable on light and on dark ground. */
export interface Series {
  name: string
  /** With the lowest and the highest of the rounds where they are known. */
  points: { x: number; y: number; low?: number; high?: number }[]
}

export interface Plot {
  title: string
  x: string
  y: string
  series: Series[]
  logX?: boolean
  logY?: boolean
}

const WIDTH = 760
const HEIGHT = 360
const LEFT = 64
const RIGHT = 270
const TOP = 40
const BOTTOM = 48
const COLOURS = ['#2563eb', '#d97706', '#059669', '#9333ea', '#dc2626', '#0891b2']

export function drawPlot(plot: Plot): string {
  const all = plot.series.flatMap(({ points }) => points)
  const x = scale(
    all.map((point) => point.x),
    [LEFT, WIDTH - RIGHT],
    plot.logX ?? false,
  )
  const y = scale(
    all.flatMap((point) => [point.low ?? point.y, point.high ?? point.y]),
    [HEIGHT - BOTTOM, TOP],
    plot.logY ?? false,
  )
  const parts: string[] = []
  for (const tick of x.ticks)
    parts.push(
      `<line class="grid" x1="${x.at(tick)}" x2="${x.at(tick)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/>`,
      `<text x="${x.at(tick)}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${label(tick)}</text>`,
    )
  for (const tick of y.ticks)
    parts.push(
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y.at(tick)}" y2="${y.at(tick)}"/>`,
      `<text x="${LEFT - 8}" y="${y.at(tick) + 4}" text-anchor="end">${label(tick)}</text>`,
    )
  for (const [index, { name, points }] of plot.series.entries()) {
    const colour = COLOURS[index % COLOURS.length]!
    const line = points.map((point) => `${x.at(point.x)},${y.at(point.y)}`).join(' ')
    parts.push(`<polyline points="${line}" fill="none" stroke="${colour}" stroke-width="2"/>`)
    for (const point of points) {
      const [px, py] = [x.at(point.x), y.at(point.y)]
      if (point.low !== undefined && point.high !== undefined)
        parts.push(
          `<line x1="${px}" x2="${px}" y1="${y.at(point.low)}" y2="${y.at(point.high)}" stroke="${colour}"/>`,
        )
      parts.push(`<circle cx="${px}" cy="${py}" r="3" fill="${colour}"/>`)
    }
    const legend = TOP + 8 + index * 18
    parts.push(
      `<circle cx="${WIDTH - RIGHT + 14}" cy="${legend - 4}" r="4" fill="${colour}"/>`,
      `<text x="${WIDTH - RIGHT + 24}" y="${legend}">${escaped(name)}</text>`,
    )
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(plot.title)}">
<style>text{font:12px system-ui,sans-serif;fill:#333}.grid{stroke:#ccc;stroke-width:.5}rect{fill:#fff}
@media (prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#555}rect{fill:#1b1b1b}}</style>
<rect width="${WIDTH}" height="${HEIGHT}"/>
<text x="${LEFT}" y="20" style="font-weight:600">${escaped(plot.title)}</text>
${parts.join('\n')}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${escaped(plot.x)}</text>
<text transform="translate(14 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${escaped(plot.y)}</text>
</svg>
`
}

interface Scale {
  at(value: number): number
  ticks: number[]
}

function scale(values: number[], [from, to]: [number, number], isLog: boolean): Scale {
  const highest = Math.max(...values)
  const place = (share: number) => Math.round((from + share * (to - from)) * 10) / 10
  if (!isLog) {
    const step = niceStep(highest / 5)
    const top = Math.ceil(highest / step) * step
    const count = Math.round(top / step)
    return {
      at: (value) => place(value / top),
      ticks: Array.from({ length: count + 1 }, (_, index) => index * step),
    }
  }
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.max(Math.ceil(Math.log10(highest)), low + 1)
  return {
    at: (value) => place((Math.log10(value) - low) / (high - low)),
    ticks: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)),
  }
}

function niceStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted))
  return [1, 2, 5, 10].map((each) => each * power).find((step) => step >= wanted)!
}

function label(value: number): string {
  if (value >= 1_000_000) return `${value / 1_000_000}M`
  if (value >= 1000) return `${value / 1000}k`
  return String(Number(value.toPrecision(3)))
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
