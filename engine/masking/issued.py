"""Tokens that say who issued them: of each its kind, what stands at its beginning, and its form, as its issuer
publishes it or makes it. Nothing else is needed to know one: no name before it, and no quotes around it. Pure.

A prefix alone is no token. Where people use it in names too (`key-`, `sk-`), digits, a length or an alphabet tell.
"""

from __future__ import annotations

from typing import Final

ISSUED: Final = (
    ("age-key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-(?:PQ-)?1[02-9AC-HJ-NP-Z]{58,}"),
    ("github-token", "github_pat_", r"github_pat_\w{22,}"),
    ("github-token", "ghp_|gho_|ghu_|ghs_|ghr_", r"gh[a-z]_(?:[0-9]{1,20}_eyJ[\w.-]{30,}|[A-Za-z0-9]{36,})"),
    ("gitlab-token", "gl", r"gl(?:agent|cbt|dt|ffct|ft|imt|oas|pat|ptt|rt|rtr|soat|wt)-[\w-]{20,}(?:\.\w+){0,4}"),
    ("grafana-token", "gl", r"gl(?:sa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}(?!\w)|c_eyJ[\w+/-]{20,}={0,2})"),
    ("anthropic-key", "sk-ant-", r"sk-ant-[\w-]{20,}"),
    ("openai-key", "sk-", r"sk-(?=[A-Za-z_-]{0,99}+[0-9])(?:(?:admin|or|proj|svcacct)-[\w-]{20,}|[A-Za-z0-9]{20,})"),
    ("slack-token", "xox|xapp-", r"x(?:ox[a-z]|app)-(?=[A-Za-z_-]{0,60}+[0-9])[A-Za-z0-9-]{10,}"),
    ("google-key", "AIza", r"AIza[\w-]{35}(?![\w-])"),
    ("google-token", "ya29.|GOCSPX-", r"(?:ya29\.|GOCSPX-)[\w-]{20,}"),
    ("stripe-key", "sk_live_|sk_test_|rk_live_|rk_test_|whsec_", r"(?:[rs]k_(?:live|test)|whsec)_\w{16,}"),
    ("npm-token", "npm_", r"npm_[A-Za-z0-9]{36,}"),
    ("pypi-token", "pypi-AgE", r"pypi-AgE[\w-]{50,}"),
    ("huggingface-token", "hf_", r"hf_[A-Za-z0-9]{30,}"),
    ("sendgrid-key", "SG.", r"SG\.[\w-]{16,32}\.[\w-]{16,}"),
    ("twilio-key", "SK", r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("digitalocean-token", "dop_v1_|doo_v1_|dor_v1_", r"do[opr]_v1_[0-9a-f]{64,}"),
    ("vault-token", "hv", r"hv[bsr]\.(?=[A-Za-z_-]{0,99}+[0-9])[\w-]{24,}"),
    ("shopify-token", "shp", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}(?![A-Za-z0-9])"),
    ("databricks-token", "dapi", r"dapi[0-9a-f]{32}(?:-[0-9])?(?![A-Za-z0-9])"),
    ("new-relic-key", "NRAK-", r"NRAK-[A-Z0-9]{27}(?![A-Za-z0-9])"),
    ("postman-key", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}(?![A-Za-z0-9])"),
    ("notion-token", "ntn_", r"ntn_(?=[A-Za-z]{0,46}+[0-9])[A-Za-z0-9]{46}(?![A-Za-z0-9])"),
    ("linear-key", "lin_", r"lin_(?:api_[A-Za-z0-9]{40}|oauth_[0-9a-f]{64})(?![A-Za-z0-9])"),
    ("supabase-key", "sbp_|sb_secret_", r"sb(?:p_[0-9a-f]{40}|_secret_[\w-]{22}_[\w-]{8})(?![\w-])"),
    ("planetscale-token", "pscale_", r"pscale_(?:oauth|pw|tkn)_(?=[A-Za-z_.=-]{0,99}+[0-9])[\w.=-]{31,63}[\w=-]"),
    ("fly-token", "fo1_|fm1|fm2_", r"f(?:o1_[\w-]{43}(?![\w-])|m(?:1[ar]|2)_[\w+/-]{60,}={0,2})"),
    ("square-token", "sq0", r"sq0(?:atp-[\w-]{22}|csp-[\w-]{43})(?![\w-])"),
    ("mailgun-key", "key-", r"(?<![_./-])key-(?=[0-9]{0,32}+[a-f])(?=[a-f]{0,32}+[0-9])[0-9a-f]{32}(?![\w-])"),
    # The number of a bot in base64, three digits in four letters; those made since 2022 begin with a 1.
    ("discord-token", "MT", r"MT(?:[AEIMQUYcgk][w-z0-5][MNO][DTjz]){5,6}[A-Za-z0-9]{0,4}\.[\w-]{6}\.[\w-]{27,}"),
    ("doppler-token", "dp.", r"dp\.(?:audit|ct|pt|sa|scim|st)\.(?:[a-z]{3}\.)?[A-Za-z0-9]{40,44}(?!\w)"),
)
