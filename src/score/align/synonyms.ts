/** The names of one field in each language, separated by bars. */
interface FieldNames {
  readonly en: string
  readonly zh: string
}

/**
 * Names of common fields in both languages, by concept. They are written without units, brackets, plurals and
 * articles, which are removed from headers before the look-up. A phrase belongs to one concept only.
 */
const fields: Readonly<Record<string, FieldNames>> = {
  'file-name': {
    en: 'filename | file name | file | document name | document | document title | source document | source file | report name | report file | doc name | source',
    zh: '文档名称 | 文档名 | 文档 | 文件名 | 文件名称 | 文件 | 报告名称 | 文档标题 | 来源文件 | 来源文档 | 源文件',
  },
  'case-name': {
    en: 'case name | case title | case',
    zh: '案件名 | 案件名称 | 案件 | 案名 | 案例名 | 案例名称 | 案例 | 案件标题',
  },
  defendant: {
    en: 'defendant | defendant name | accused',
    zh: '被告 | 被告人 | 被告姓名 | 被告人姓名 | 被告名称',
  },
  crime: {
    en: 'crime | charge | offence | offense | conviction',
    zh: '罪名 | 所犯罪名 | 定罪 | 判决罪名 | 犯罪罪名',
  },
  sentence: {
    en: 'sentence | prison term | term of imprisonment | imprisonment | imprisonment term',
    zh: '刑期 | 主刑 | 判处刑期 | 有期徒刑 | 刑罚 | 主刑刑期',
  },
  probation: {
    en: 'probation | suspended sentence | probation period',
    zh: '缓刑 | 缓刑期 | 缓刑期限 | 缓刑考验期',
  },
  fine: {
    en: 'fine | criminal fine | monetary penalty | penalty amount',
    zh: '处罚金 | 罚金 | 罚金金额 | 并处罚金 | 罚款',
  },
  confiscation: {
    en: 'confiscation | confiscation of personal property | confiscation of property | property confiscation',
    zh: '没收个人财产 | 没收财产 | 财产没收 | 没收',
  },
  'political-rights': {
    en: 'deprivation of political right | political right deprivation',
    zh: '剥夺政治权利 | 剥夺政治权利期限 | 政治权利剥夺',
  },
  'other-judgment': {
    en: 'other judgment | other judgement | other ruling | other decision',
    zh: '其他判决 | 其他判决结果 | 其他 | 其它判决 | 其他判项 | 其他处罚',
  },
  'related-index': {
    en: 'related index | associated index | related statute | related law | legal basis | statute | cited statute',
    zh: '关联索引 | 相关索引 | 法律依据 | 关联法条 | 相关法条 | 引用法条 | 法条 | 关联法律 | 法律条文 | 适用法条 | 相关法律条文 | 裁判依据',
  },
  'cited-title': {
    en: 'cited paper title | cited paper | cited title | title of cited paper | referenced paper | referenced paper title | reference title | cited work | cited work title',
    zh: '',
  },
  'citing-title': {
    en: 'referencing paper title | referencing paper | citing paper title | citing paper | title of citing paper | title of referencing paper | source paper | source paper title | citing work',
    zh: '',
  },
  'referenced-content': {
    en: 'referenced content | citation context | citation text | citation content | reference content | cited content | citation sentence | citing sentence | referenced text | context of citation | reference context',
    zh: '',
  },
  label: {
    en: 'label | citation type | relationship | relation | citation label | relation type | citation category',
    zh: '',
  },
  'paper-name': {
    en: 'paper name | paper title | paper | title of paper | publication title | article title',
    zh: '论文名称 | 论文标题 | 论文 | 论文题目 | 文章标题',
  },
  method: {
    en: 'method | method name | model | model name | approach | algorithm',
    zh: '方法 | 方法名称 | 模型 | 模型名称',
  },
  result: {
    en: 'result | score | performance | metric value | experimental result',
    zh: '结果 | 实验结果 | 得分 | 性能',
  },
  period: {
    en: 'reporting period | report period | fiscal period | accounting period | period | period covered | fiscal year | reporting year | report year | period end | period ended | reporting date | financial year',
    zh: '报表所属期 | 报告期 | 所属期 | 报告期间 | 会计期间 | 报表期间 | 报告年度 | 报表所属期间 | 财务报告期 | 年度 | 财年 | 会计年度',
  },
  assets: { en: 'total asset | asset | asset total', zh: '资产总额 | 总资产 | 资产总计 | 资产合计 | 资产' },
  'asset-growth': {
    en: 'asset growth rate | total asset growth rate | asset growth | total asset growth | growth rate of total asset | growth in total asset | year over year asset growth',
    zh: '资产总额增长率 | 总资产增长率 | 资产增长率 | 资产总额同比增长率 | 总资产同比增长率 | 资产总额增幅',
  },
  revenue: {
    en: 'revenue | total revenue | operating revenue | net revenue | sale | net sale | total net sale | total net revenue | turnover | operating income total | sale revenue',
    zh: '营业收入 | 营业总收入 | 营收 | 收入 | 总收入 | 主营业务收入 | 营业额',
  },
  'revenue-growth': {
    en: 'revenue growth rate | revenue growth | growth rate of revenue | sale growth | sale growth rate | operating revenue growth rate | year over year revenue growth | revenue yoy growth | total revenue growth rate',
    zh: '营业收入增长率 | 营收增长率 | 收入增长率 | 营业收入同比增长率 | 营业总收入增长率 | 营业收入增幅 | 营业收入同比增长',
  },
  equity: {
    en: 'total stockholder equity | stockholder equity | shareholder equity | total shareholder equity | total equity | equity | owner equity | total owner equity | net asset | total stockholders equity',
    zh: '所有者权益 | 所有者权益合计 | 股东权益 | 股东权益合计 | 净资产 | 所有者权益总额 | 权益总额 | 归属于母公司所有者权益 | 所有者权益总计 | 所有者权益或股东权益',
  },
  roe: {
    en: 'weighted average return on equity | return on equity | roe | weighted average roe | weighted average return on net asset | return on net asset',
    zh: '加权平均净资产收益率 | 净资产收益率 | 加权净资产收益率 | 加权平均净资产回报率 | 净资产回报率',
  },
  'net-profit': {
    en: 'net profit | net income | net earning | profit for period | profit for year | net profit attributable to shareholder | net income loss | net loss | net profit loss',
    zh: '净利润 | 净利 | 归属于母公司所有者的净利润 | 归母净利润 | 净收益 | 纯利 | 归属于上市公司股东的净利润',
  },
  'net-margin': {
    en: 'net profit margin | net margin | net profit rate | profit margin | net income margin | net profit ratio',
    zh: '净利润率 | 净利率 | 销售净利率 | 营业净利率 | 销售净利润率',
  },
  'profit-growth': {
    en: 'net profit growth rate | net profit growth | profit growth rate | net income growth rate | net income growth | growth rate of net profit | profit growth',
    zh: '净利润增长率 | 净利增长率 | 净利润同比增长率 | 利润增长率 | 净利润增幅 | 净利润同比增长',
  },
  'operating-cash': {
    en: 'net cash provided by operating activity | net cash provided by used in operating activity | net cash flow from operating activity | cash flow from operating activity | operating cash flow | net operating cash flow | cash flow from operation | net cash from operating activity | net cash from operation | net cash flow generated from operating activity | cash provided by operating activity | cash from operating activity | net cash generated from operating activity | net cash provided by operation | net cash flow operating activity | net cash generated by operating activity | cash provided by operation',
    zh: '经营活动现金流量净额 | 经营活动产生的现金流量净额 | 经营现金流净额 | 经营性现金流净额 | 经营活动现金净流量 | 经营活动现金流净额 | 经营现金流 | 经营现金流量净额 | 经营活动净现金流 | 经营性现金流',
  },
  'cash-growth': {
    en: 'operating cash flow growth rate | operating cash flow growth | growth rate of operating cash flow | cash flow growth rate | net operating cash flow growth rate',
    zh: '经营现金流增长率 | 经营活动现金流增长率 | 经营活动现金流量净额增长率 | 经营性现金流增长率 | 经营现金流同比增长率',
  },
  'cash-ratio': {
    en: 'net cash ratio | net cash to profit ratio | cash to net profit ratio | net profit cash ratio | cash ratio',
    zh: '净现比 | 净利润现金含量 | 净利润现金比率 | 现金净利比 | 净现比率',
  },
  liabilities: {
    en: 'total liability | liability | liability total',
    zh: '负债总额 | 总负债 | 负债合计 | 负债总计 | 负债',
  },
  'debt-ratio': {
    en: 'liability to asset ratio | debt to asset ratio | asset liability ratio | debt asset ratio | debt ratio | liability asset ratio | debt to total asset ratio | total debt to asset ratio | gearing ratio | leverage ratio | total liability to total asset ratio',
    zh: '资产负债率 | 负债率 | 资产负债比率 | 资产负债比 | 负债比率',
  },
  'share-capital': {
    en: 'share capital | capital stock | total share | total share capital | share outstanding | number of share | issued share | issued share capital | total share outstanding',
    zh: '股本 | 总股本 | 股本总额 | 股份总数 | 股数 | 普通股股本 | 期末股本',
  },
  'equity-per-share': {
    en: 'net asset per share | equity per share | book value per share | nav per share | net asset value per share | shareholder equity per share',
    zh: '每股净资产 | 每股权益 | 每股账面价值 | 每股所有者权益',
  },
  'earnings-per-share': {
    en: 'net profit per share | earning per share | eps | basic earning per share | basic eps | net income per share | profit per share',
    zh: '每股净利润 | 每股收益 | 基本每股收益 | 每股盈利 | 每股利润 | 每股净收益',
  },
  company: {
    en: 'company | company name | issuer | corporation | firm | registrant',
    zh: '公司 | 公司名称 | 企业名称 | 公司名 | 企业',
  },
  'person-name': { en: 'name | full name | person name | candidate name', zh: '姓名 | 名字 | 人名' },
}

/** The names of each concept. */
export const synonyms: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(fields).map(([concept, { en, zh }]) => [
    concept,
    `${en} | ${zh}`.split(' | ').filter(name => name !== ''),
  ]),
)
