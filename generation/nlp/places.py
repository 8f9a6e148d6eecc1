"""States, provinces and countries that follow the name of a town: "Austin, Texas"."""

_UNITED_STATES = """Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida
Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts
Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico
New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina
South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming
AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|ID|IL|IA|KS|KY|LA|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|PA
RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|D.C.|DC|USA|U.S."""
_PROVINCES = """Alberta|British Columbia|Manitoba|New Brunswick|Newfoundland|Nova Scotia|Ontario
Quebec|Saskatchewan|New South Wales|Queensland|South Australia|Tasmania|Victoria
Western Australia|England|Scotland|Wales|Northern Ireland|Bavaria|Saxony|Lombardy|Tuscany|Sicily"""
_COUNTRIES = """Argentina|Australia|Austria|Bangladesh|Belgium|Bolivia|Brazil|Bulgaria|Canada|Chile
China|Colombia|Croatia|Cuba|Denmark|Ecuador|Egypt|Ethiopia|Finland|France|Germany|Ghana|Greece
Hungary|Iceland|India|Indonesia|Iran|Iraq|Ireland|Israel|Italy|Jamaica|Japan|Jordan|Kenya|Lebanon
Malaysia|Mexico|Morocco|Nepal|Netherlands|New Zealand|Nigeria|Norway|Pakistan|Panama|Peru
Philippines|Poland|Portugal|Romania|Russia|Saudi Arabia|Serbia|Slovakia|Slovenia|South Africa
South Korea|Spain|Sri Lanka|Sudan|Sweden|Switzerland|Syria|Taiwan|Tanzania|Thailand|Turkey|Uganda
Ukraine|Uruguay|Venezuela|Vietnam|Zambia|Zimbabwe"""

REGIONS = frozenset(
    name
    for block in (_UNITED_STATES, _PROVINCES, _COUNTRIES)
    for line in block.split("\n")
    for name in line.split("|")
)
