import { readChineseNumeral } from '../../core/values.ts'
import type { Asked, SeenDocument } from './asked.ts'
import type { Table } from './table.ts'

/** Court cases in Chinese: the statutes that bear on each, or what was decided about each defendant. */
export function casesTable(asked: Asked, documents: readonly SeenDocument[]): Table {
  return /法律条文|关联索引|法条|法律依据|法律规定/.test(asked.query)
    ? statutesTable(documents)
    : verdictsTable(documents)
}

/** PDFs break lines inside words: Chinese text without its line ends. */
function flowing(text: string): string {
  return text.replace(/\s+/g, '')
}

function caseName(name: string): string {
  return name.replace(/\.(?:pdf|docx?|txt|md|html?)$/i, '')
}

function verdictsTable(documents: readonly SeenDocument[]): Table {
  const rows = documents.flatMap(({ name, text }) =>
    readVerdicts(flowing(text)).map(verdict => [caseName(name), ...verdict]),
  )
  const columns = [
    '案件名',
    '被告',
    '罪名',
    '刑期',
    '缓刑',
    '处罚金',
    '没收个人财产',
    '剥夺政治权利',
    '其他判决',
  ]
  return { columns, rows }
}

function readVerdicts(text: string): (string | null)[][] {
  const decided = text.slice(Math.max(0, text.lastIndexOf('判决如下')))
  const person = '(?:被告(?:人|单位))'
  const sentence = new RegExp(
    `${person}([^，。；、：犯]{1,30}?)(?:犯|构成)([^。；]*?罪)[，,]?((?:判处|免予刑事处罚|免除处罚|单处)[^。]*?)(?=；(?:[一二三四五六七八九十]+、)?${person}|。|$)`,
    'g',
  )
  const inverse = new RegExp(
    `以(?:犯)?([^，。；]*?罪)[，,]?(?:分别)?判处${person}?([^，。；、]{1,20}?)((?:有期徒刑|无期徒刑|死刑|拘役|管制)[^。；]*)`,
    'g',
  )
  const found = [...decided.matchAll(sentence)].map(([, name = '', charge = '', rest = '']) => ({
    name,
    charge,
    rest,
  }))
  if (found.length === 0) {
    for (const [, charge = '', name = '', rest = ''] of decided.matchAll(inverse))
      found.push({ name, charge, rest: `判处${rest}` })
  }
  const term = /(?:判处|决定执行)((?:有期徒刑|无期徒刑|死刑|拘役|管制)[^，。；]*)/g
  return found.map(({ name, charge, rest }) => {
    const other =
      new RegExp(`；(?:[一二三四五六七八九十]+、)?${person}?${name}((?!犯)[^。；]+)`).exec(decided)?.[1] ??
      null
    return [
      name,
      listed(charges(charge, rest)),
      [...rest.matchAll(term)].at(-1)?.[1] ?? null,
      /缓刑[^，。；]+/.exec(rest)?.[0] ?? null,
      /罚金([^，。；]+)/.exec(rest)?.[1] ?? null,
      /没收((?:个人)?(?:全部|部分)?(?:个人)?财产[^，。；]*)/.exec(rest)?.[1] ?? null,
      /剥夺政治权利([^，。；]+)/.exec(rest)?.[1] ?? null,
      other,
    ]
  })
}

/** The mark 、 also stands inside a charge's name; between charges it follows 罪. */
function charges(first: string, rest: string): string[] {
  return [
    ...first.split(/(?<=罪)、/),
    ...[...rest.matchAll(/[；，]犯([^，；。]*?罪)/g)].map(match => match[1]!),
  ]
}

function listed(values: readonly string[]): string {
  return values.length === 1 ? values[0]! : `[${values.map(value => JSON.stringify(value)).join(', ')}]`
}

const criminalLaw = '《中华人民共和国刑法》'
/** Articles of the Criminal Law by the crime or circumstance that calls for them. */
const articles: readonly (readonly [RegExp, readonly number[]])[] = `
交通肇事 133; 危险驾驶 133; 生产、销售假药 141; 非法吸收公众存款 176; 集资诈骗 192; 信用卡诈骗 196; 合同诈骗 224; 非法经营罪 225; 假冒注册商标 213
故意杀人 232; 过失致人死亡 233; 故意伤害 234; 强奸 236; 非法拘禁 238; 绑架 239; 抢劫 263; 盗窃 264; 诈骗罪|诈骗案 266; 抢夺 267; 职务侵占 271; 敲诈勒索 274
妨害公务 277; 帮助信息网络犯罪 287; 聚众斗殴 292; 寻衅滋事 293; 开设赌场|赌博 303; 掩饰、隐瞒犯罪所得 312; 污染环境 338; 贩卖毒品|走私毒品|运输毒品|制造毒品 347; 非法持有毒品 348
贪污 382 383; 挪用公款 384; 受贿 385 383; 行贿罪 389 390; 滥用职权|玩忽职守 397
从犯|次要作用|辅助作用 27; 累犯 65; 自首|如实供述|主动投案 67; 立功 68; 缓刑 72; 追缴|责令退赔|退赔 64; 未遂 23; 正当防卫|防卫过当 20`
  .split(/[;\n]/)
  .filter(entry => entry.trim() !== '')
  .map(entry => {
    const [, words = '', numbers = ''] = /^\s*(.*?)((?:\s+\d+)+)\s*$/.exec(entry) ?? []
    return [new RegExp(words), numbers.trim().split(/\s+/).map(Number)] as const
  })

function statutesTable(documents: readonly SeenDocument[]): Table {
  const rows = documents.map(({ name, text }) => {
    const plain = flowing(`${name}。${text}`)
    const cited = [
      ...plain.matchAll(
        /《([^》]+)》((?:第[零一二三四五六七八九十百千\d]+条(?:之[一二三])?(?:第[一二三四五六七八九十]+[款项])*[、，和及]?)+)/g,
      ),
    ].flatMap(([, law = '', list = '']) =>
      [...list.matchAll(/第([零一二三四五六七八九十百千\d]+)条(之[一二三])?/g)].map(
        ([, number = '', after = '']) =>
          `《${law}》第${/^\d+$/.test(number) ? number : readChineseNumeral(number)}条${after}`,
      ),
    )
    const known = articles
      .flatMap(([words, numbers]) => (words.test(plain) ? numbers : []))
      .map(number => `${criminalLaw}第${number}条`)
    return [
      caseName(name),
      `[${[...new Set(cited.length > 0 ? cited : known)].map(one => JSON.stringify(one)).join(', ')}]`,
    ]
  })
  return { columns: ['案件名', '关联索引'], rows }
}
