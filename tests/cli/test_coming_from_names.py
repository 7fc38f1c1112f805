"""Everything that the four systems name has its row in `docs/coming-from.md`: tools, commands with their options,
hooks, endpoints, settings, and the words their data is made of. The names are theirs."""

from __future__ import annotations

import re

import pytest
from tests.cli.test_coming_from import rows

NAMES: dict[str, dict[str, str]] = {
    "roampal": {
        "tools": "search_memory add_to_memory_bank update_memory delete_memory score_memories record_response",
        "arguments": """query days_back id collections limit metadata sort_by type content tags importance
          confidence always_inject noun_tags memory_scores exchange_summary exchange_outcome facts""",
        "commands": """init start stop status stats ingest remove books score summarize context sidecar doctor help
          retag reembed profile setup disable test list show use unuse switch create register delete
          bind unbind""",
        "options": """--version --claude-code --cursor --opencode --force --no-input --host --port --dev --title
          --chunk-size --chunk-overlap --from-hook --session-id --transcript --last --dry-run
          --max-chars --collection --limit --recent-exchanges --auto --profile --list --json --model
          --url --key-env --go --zen --scope""",
        "hooks": """UserPromptSubmit Stop SessionStart chat.params chat.message chat.system.transform
          chat.messages.transform session.compacting session.compacted tool.execute.after
          session.created message.updated part.updated idle deleted""",
        "endpoints": """/api/hooks/get-context /api/hooks/check-scored /api/hooks/stop /api/search
          /api/memory-bank/add /api/memory-bank/update /api/memory-bank/archive /api/ingest /api/books
          /api/remove-book /api/record-response /api/record-outcome /api/memory/update-content
          /api/memory/auto-summarize-one /api/health /api/stats /api/hooks/session-reset
          /api/hooks/injection-ack /api/retag /api/status X-Roampal-Profile""",
        "settings": """ROAMPAL_DEV _DATA_PATH _PORT _SERVER_URL _SIDECAR_URL _KEY _MODEL _SIDECAR_DISABLED
          _SIDECAR_PRIORITY _SUMMARIZE_MODEL _OLLAMA_URL _LMSTUDIO_URL _PLATFORM _INSPECT_ONLY
          _CONVERSATION_ID _USE_SERVER _BENCHMARK_MODE _PROFILE _EMBED_MODEL _EMBED_ONNX_FILE
          _CE_ONNX_FILE _ORT_THREADS _REEMBED_DISABLE _REEMBED_BATCH_SLEEP
          _SERVER_IDLE_TIMEOUT_MINUTES _ALLOW_SUBAGENTS _TEST_DISABLE_WAL""",
    },
    "opencode-semantic-memory": {
        "tools": """recall remember get_context get_active_sessions session_start session_heartbeat session_end
          claim_item release_item get_boot_context search_history ingest_file enrich_entity
          resolve_blocker unresolve_blocker consolidate_memory log_session archive_memory
          bootstrap_memory memory_status get_linked_memories export_memories import_memories
          bulk_archive delete_memory edit_memory set_reminder clear_reminder advance_reminder
          mark_procedure_reviewed set_review_interval effectiveness_report background_report
          graph_aware graph_explore graph_retrieve index_codebase extract_concepts graph_status""",
        "newer tools": """session_mark_standing session_wrap_up session_list_standing session_continue
          get_ground_truth mark_feedback_addressed create_link dismiss_concern list_concerns
          tool_metrics process_metrics memory_quality_report pipeline_status pipeline_list_items
          gitlab_context_tuning record_pipeline_outcome pipeline_improvement_report
          record_proposal_outcome calibration_report info_gathering_report project_proposals
          imaginator_report vector_index get_by_id get_bg_result term_associations
          injection_metrics_trend token_usage_trend initialize_workspace search_code
          code_knowledge_preflight find_definition definition_content file_content spider_search
          spider_status spider_query slack_pull_context slack_intake_status email_pull_context
          email_intake_status get_proactive_context subconscious_observe subconscious_warm
          subconscious_trial_report queue_get_next queue_claim queue_release queue_complete queue_skip
          queue_defer queue_add_blocker queue_clear_blocker queue_list_blocked queue_list queue_stats
          queue_reprioritize queue_set_due_date queue_requeue queue_populate workflow memory
          memory_shutdown""",
        "data": """decision blocker procedure fact event directive plan idea reminder conversation
          conversation_summary boot_gate goal achievement mr issue epic person concept file class func
          module dir session related extends supersedes contradicts same_entity sequence""",
        "endpoints": "/mcp /health /stats /metrics /worklist /command-center /dashboard /capacity",
        "commands": """serve ingest stats migrate enrich cleanup backfill-projects extract-knowledge effectiveness
          bg-report""",
        "settings": """OPENCODE_MEMORY_HOST _PORT _API_KEY _RATE_LIMIT GITLAB_TOKEN HF_HUB_OFFLINE
          TRANSFORMERS_OFFLINE user instance primary_project identity active_sessions hot_items
          recent_decisions unresolved_blockers max_hot_items recent_decision_days watch_paths
          db_poll_interval enabled llm_extraction working_directory path systemd launchd nix""",
    },
    "ocm": {
        "tools": "ocm__checkpoint ocm__search_sessions ocm__list_sessions ocm__get_session_files",
        "arguments": """goal work_completed work_pending work_summary decisions plan_files references session_id
          slug tool status query limit scope tool_filter""",
        "commands": """init install list search show export rebuild-index checkpoint serve status stop uninstall
          help""",
        "options": "--cursor-hooks --claude-hooks -y -n --tool --scope --from-stdin -f --global --all --threshold",
        "hooks": """session-start file-edited session-end post-tool-use pre-tool-use UserPromptSubmit
          sessionStart preToolUse postToolUse stop afterFileEdit""",
        "storage": """sessions sessions_fts session_files session_chunks registry.json server.json .gitignore""",
        "settings": """OCM_PROJECT_DIR CLAUDE_SESSION_ID conversation_id CURSOR_PROJECT_DIR CLAUDE_PROJECT_DIR
          workspace_roots""",
    },
    "agentmemory": {
        "tools": """search remember correct lock observe status get_locked onboard create_beliefs
          get_unclassified reclassify ingest timeline evolution diff delete bulk_delete snapshot
          feedback confirm session_quality sync_obsidian import_obsidian graph_metrics link_docs
          recalibrate wonder wonder_ingest wonder_gc share_belief manage_scopes""",
        "commands": """setup onboard ingest stats health metrics core search locked stale remember lock wonder
          reason unlock demote delete timeline evolution diff settings commit-check commit-config
          session-complete feedback-flush mcp uninstall rebuild-edges batch-feedback sync-obsidian
          import-obsidian link-docs rebuild-index enable-telemetry disable-telemetry send-telemetry
          recalibrate --link --project""",
        "slash commands": """/mem:onboard /mem:stats /mem:health /mem:core /mem:search /mem:locked /mem:new-belief
          /mem:lock /mem:delete /mem:wonder /mem:settings /mem:reason /mem:disable /mem:unlock
          /mem:enable /mem:enable-telemetry /mem:disable-telemetry /mem:send-telemetry /mem:help""",
        "hooks": "PreToolUse SessionStart Stop PreCompact PostCompact",
        "settings": """$AGENTMEMORY_DB ~/.agentmemory/projects obsidian.vault_path locked lock_level rigor_tier
          method sample_size data_source valid_from valid_to hibernation_score uncertainty_vector
          activation_condition observations evidence checkpoints confidence_history audit_log""",
        "data": """factual preference relational procedural causal correction requirement speculative CITES
          RELATES_TO SUPERSEDES CONTRADICTS SUPPORTS TESTS IMPLEMENTS TEMPORAL_NEXT SPECULATES
          DEPENDS_ON RESOLVES HIBERNATED CALLS CONTAINS CO_CHANGED COMMIT_TOUCHES SENTENCE_IN_FILE
          WITHIN_SECTION""",
    },
}


@pytest.mark.parametrize("system", NAMES)
def test_everything_that_is_named_there_has_its_row(system):
    there = [row.there for row in rows() if row.system == system]
    words = {word for cell in there for word in re.split(r"[\s(),;=*\[\]<>|]+", cell)}
    words |= {part for word in words for part in (word.rstrip("/:"), *word.split("/"))}
    missing = {
        f"{section}: {name}"
        for section, names in NAMES[system].items()
        for name in names.split()
        if name not in words and not (name.startswith("_") and any(word.endswith(name) for word in words))
    }
    assert missing == set()
